import { locale } from '../../strings/language.ts';
/** What the list shows of a channel. */
interface Listed {
  name: string;
  rendered_description: string;
  is_archived: boolean;
  stream_id: number;
}

/** Which channels are listed: all, those that one is in, and those that one may join. */
export type Shown = 'all' | 'subscribed' | 'others';

const byName = new Intl.Collator(locale(), { sensitivity: 'base', numeric: true }).compare;

/**
 * Returns the channels that match, by name: those first that are called so, then those whose description says it. Archived
 * ones are none.
 */
export function listedChannels<One extends Listed>(
  channels: Iterable<One>,
  query: string,
  shown: Shown,
  isSubscribed: (id: number) => boolean,
): One[] {
  const wanted = query.trim().toLowerCase().replace(/^#/, '');
  const isNamed = ({ name }: One) => name.toLowerCase().includes(wanted);
  const isAbout = ({ rendered_description: html }: One) =>
    html
      .replaceAll(/<[^>]*>/g, ' ')
      .toLowerCase()
      .includes(wanted);
  return [...channels]
    .filter(
      (one) =>
        !one.is_archived &&
        (shown === 'all' || isSubscribed(one.stream_id) === (shown === 'subscribed')) &&
        (isNamed(one) || isAbout(one)),
    )
    .sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)) || byName(a.name, b.name));
}

/** One condition of a narrow, as fragments write it: `channel/12-lab`, `-is/muted`. */
export interface Term {
  operator: string;
  operand: string;
  negated: boolean;
}

/** What a fragment `#narrow/…` shows. */
export interface Narrow {
  terms: readonly Term[];
  /** The message to begin at, if the fragment names one. */
  near: number | null;
}

/** A text as one part of a fragment: like a part of a URL, with dots for the signs that begin what is encoded. */
export const encodePart = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll('.', '%2E')
    .replaceAll(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');

/** The text of a part. What nobody can have encoded is answered as it is. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('%', '%25').replaceAll('.', '%'));
  } catch {
    return part;
  }
}

/** The narrow of a fragment; null for one that is no narrow. */
export function readNarrow(fragment: string): Narrow | null {
  const [first, ...parts] = fragment.replace(/^#?\/?/, '').split('/');
  if (first !== 'narrow') return null;
  const terms: Term[] = [];
  let near: number | null = null;
  for (let index = 0; index < parts.length; index += 2) {
    const name = decodePart(parts[index] ?? '');
    const operand = decodePart(parts[index + 1] ?? '');
    const negated = name.startsWith('-');
    const operator = synonyms[name.replace(/^-/, '')] ?? name.replace(/^-/, '');
    if (operator === 'near') near = Number(operand) || null;
    else if (operator !== '') terms.push({ operator, operand, negated });
  }
  return { terms, near };
}

/** Names that links of older servers use. */
const synonyms: Readonly<Record<string, string>> = {
  stream: 'channel',
  streams: 'channels',
  subject: 'topic',
  'pm-with': 'dm',
  'group-pm-with': 'dm-including',
};

/** The fragment of a narrow. */
export function narrowFragment({ terms, near }: Narrow): string {
  const parts = terms.flatMap(({ operator, operand, negated }) => [
    `${negated ? '-' : ''}${encodePart(operator)}`,
    encodePart(operand),
  ]);
  return ['#narrow', ...parts, ...(near === null ? [] : ['near', String(near)])].join('/');
}

const term = (operator: string, operand: string): Term => ({ operator, operand, negated: false });

/** An id, with a name for whoever reads the address. */
export const slug = (id: number, name: string) => `${id}-${name.replaceAll(' ', '-')}`;

export const toChannel = (id: number, name: string): string =>
  narrowFragment({ terms: [term('channel', slug(id, name))], near: null });

/** What a link to a topic leads to: one of its messages, or wherever one of them is when somebody follows it. */
export interface LinkedMessage {
  near?: number | null;
  with?: number | undefined;
}

export const toTopic = (
  id: number,
  name: string,
  topic: string,
  { near = null, with: followed }: LinkedMessage = {},
): string => {
  const terms = [term('channel', slug(id, name)), term('topic', topic)];
  if (followed !== undefined) terms.push(term('with', String(followed)));
  return narrowFragment({ terms, near });
};

/** @param others everyone in the conversation but the reader */
export const toPeople = (others: readonly number[], near: number | null = null): string =>
  narrowFragment({ terms: [term('dm', others.join(','))], near });

const isWith = ({ operator, negated }: Term) => operator === 'with' && !negated;

/** The message whose conversation a narrow follows, if it names one. */
export function followedBy({ terms }: Narrow): number | null {
  const id = Number.parseInt(terms.find(isWith)?.operand ?? '', 10);
  return Number.isNaN(id) ? null : id;
}

/** What a narrow shows now, without the message that it follows. */
export const withoutFollowed = ({ terms, near }: Narrow): Narrow => ({
  terms: terms.filter((one) => !isWith(one)),
  near,
});

/** Equal for fragments that show the same messages, wherever they begin; other views are equal to themselves. */
export function viewKeyOf(fragment: string): string {
  const narrow = readNarrow(fragment);
  return narrow ? narrowFragment({ ...withoutFollowed(narrow), near: null }) : fragment;
}

/** The channel that a narrow is about. */
export function channelOf({ terms }: Narrow): number | null {
  const operand = terms.find(({ operator, negated }) => operator === 'channel' && !negated)?.operand;
  const id = Number(/^\d+/.exec(operand ?? '')?.[0]);
  return Number.isSafeInteger(id) ? id : null;
}

/** The topic that a narrow is about. The empty one is a topic as well. */
export const topicOf = ({ terms }: Narrow): string | null =>
  terms.find(({ operator, negated }) => operator === 'topic' && !negated)?.operand ?? null;

/** The people with whom a narrow's direct conversation is. */
export function peopleOf({ terms }: Narrow): number[] | null {
  const operand = terms.find(({ operator, negated }) => operator === 'dm' && !negated)?.operand;
  const ids = /^[\d,]+/.exec(operand ?? '')?.[0];
  return ids === undefined ? null : ids.split(',').filter(Boolean).map(Number);
}

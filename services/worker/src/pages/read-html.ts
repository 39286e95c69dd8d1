import { Parser } from 'htmlparser2';

/** What the head of a page says of it, in its own words. */
export interface PageMetadata {
  title: string;
  description: string;
  image: string;
  /** Where it says more of itself, as oEmbed. */
  oembed: string;
  /** What its relative addresses start from, where that is not its own address. */
  base: string;
}

/** More than any head has; unclosed ones would have to be looked through for each that is closed. */
const tagsMax = 2000;
/** Read piece by piece, so that no more is read once the head has ended. */
const chunkLength = 16 * 1024;
const titleLengthMax = 10_000;

/** In the order in which they are believed. */
const metaNames = {
  title: ['og:title', 'twitter:title'],
  description: ['og:description', 'twitter:description', 'description'],
  image: ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'],
} as const;

/** Reads a page up to the end of its head. In time that grows with its length only. */
export function readHtml(html: string): PageMetadata {
  const said = new Map<string, string>();
  let title: string | null = null;
  const at = { tags: 0, isInTitle: false, isOver: false };

  const say = (name: string | undefined, value: string | undefined) => {
    const known = name?.trim().toLowerCase() ?? '';
    // The first counts.
    if (value !== undefined && value.trim() !== '' && !said.has(known)) said.set(known, value);
  };
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        at.tags += 1;
        at.isOver ||= tag === 'body' || at.tags > tagsMax;
        if (at.isOver) return;
        if (tag === 'title' && title === null) {
          at.isInTitle = true;
          title = '';
        } else if (tag === 'meta') say(attributes['property'] ?? attributes['name'], attributes['content']);
        else if (tag === 'base') say('base', attributes['href']);
        else if (tag === 'link' && isOembed(attributes)) say('oembed', attributes['href']);
      },
      ontext(text) {
        if (at.isInTitle && title !== null && title.length < titleLengthMax) title += text;
      },
      onclosetag(tag) {
        if (tag === 'title') at.isInTitle = false;
        at.isOver ||= tag === 'head';
      },
    },
    { decodeEntities: true },
  );
  for (let from = 0; from < html.length && !at.isOver; from += chunkLength) {
    parser.write(html.slice(from, from + chunkLength));
  }
  if (!at.isOver) parser.end();

  const first = (wanted: readonly string[]) => wanted.flatMap((name) => said.get(name) ?? [])[0] ?? '';
  return {
    title: first(metaNames.title) || (title ?? ''),
    description: first(metaNames.description),
    image: first(metaNames.image),
    oembed: first(['oembed']),
    base: first(['base']),
  };
}

const isOembed = ({ rel = '', type = '' }: Record<string, string>) =>
  rel.toLowerCase().split(/\s+/).includes('alternate') &&
  type.trim().toLowerCase() === 'application/json+oembed';

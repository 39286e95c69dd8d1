import { Parser } from 'htmlparser2';

/** The metadata in the head of a page. */
export interface PageMetadata {
  title: string;
  description: string;
  image: string;
  /** The address of the page's oEmbed response. */
  oembed: string;
  /** The address that relative addresses start from, if it is not the page's own. */
  base: string;
}

/**
 * No head has more tags. The parser searches all unclosed tags for each closing tag, so their number must be limited.
 */
const tagsMax = 2000;
/** The page is parsed in chunks, so that no more is parsed after the head has ended. */
const chunkLength = 16 * 1024;
const titleLengthMax = 10_000;

/** Names of meta elements in order of preference. */
const metaNames = {
  title: ['og:title', 'twitter:title'],
  description: ['og:description', 'twitter:description', 'description'],
  image: ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'],
} as const;

/** Reads a page up to the end of its head, in time that grows only linearly with its length. */
export function readHtml(html: string): PageMetadata {
  const values = new Map<string, string>();
  let title: string | null = null;
  const position = { tags: 0, isInTitle: false, isOver: false };

  const record = (name: string | undefined, value: string | undefined) => {
    const key = name?.trim().toLowerCase() ?? '';
    // The first of several values counts.
    if (value !== undefined && value.trim() !== '' && !values.has(key)) values.set(key, value);
  };
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        position.tags += 1;
        position.isOver ||= tag === 'body' || position.tags > tagsMax;
        if (position.isOver) return;
        if (tag === 'title' && title === null) {
          position.isInTitle = true;
          title = '';
        } else if (tag === 'meta')
          record(attributes['property'] ?? attributes['name'], attributes['content']);
        else if (tag === 'base') record('base', attributes['href']);
        else if (tag === 'link' && isOembed(attributes)) record('oembed', attributes['href']);
      },
      ontext(text) {
        if (position.isInTitle && title !== null && title.length < titleLengthMax) title += text;
      },
      onclosetag(tag) {
        if (tag === 'title') position.isInTitle = false;
        position.isOver ||= tag === 'head';
      },
    },
    { decodeEntities: true },
  );
  for (let from = 0; from < html.length && !position.isOver; from += chunkLength) {
    parser.write(html.slice(from, from + chunkLength));
  }
  if (!position.isOver) parser.end();

  const first = (names: readonly string[]) => names.flatMap((name) => values.get(name) ?? [])[0] ?? '';
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

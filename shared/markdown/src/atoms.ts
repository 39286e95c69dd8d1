import type { Token } from 'markdown-it';

/** Finished HTML, and the plain text that it shows. */
export interface StaticHtml {
  kind: 'static';
  html: string;
  text: string;
}

/** A link whose text contains no other markup: an address in the text, or a linkifier's match. */
export interface BareLink {
  kind: 'bare-link';
  href: string;
  text: string;
  /** Whether the link's text is the address itself. */
  isAddress: boolean;
}

/** A player for an audio file. */
export interface AudioPlayer {
  kind: 'audio';
  href: string;
  title: string;
}

/** An inline element whose inside is not parsed further. Mentions and internal links have to be looked up. */
export type Atom = StaticHtml | BareLink | AudioPlayer | Mention | InternalLink;

/** A mention. `source` is the text of the mention as the author wrote it. */
export type Mention =
  | { kind: 'user'; name: string; id: number | null; silent: boolean; source: string }
  | { kind: 'group'; name: string; silent: boolean; source: string }
  | { kind: 'wildcard'; word: string; silent: boolean };

export interface InternalLink {
  kind: 'channel';
  channel: string;
  topic: string | null;
  messageId: number | null;
  source: string;
  /** True inside another link, where it is shown as text: links cannot be nested. */
  isPlain: boolean;
}

export const staticHtml = (html: string, text: string): StaticHtml => ({ kind: 'static', html, text });

// Safe: only Line.pushAtom makes 'atom' tokens, and it sets the value.
export const atomOf = (token: Token): Atom => token.meta?.['atom'] as Atom;

/** A link in a text, with what its preview needs. */
export interface PreviewLink {
  href: string;
  /** The link's text; null if it is the address itself. */
  label: string | null;
}

/** The target of a link that is written as `[text](address)`. */
export interface LinkTarget {
  href: string;
  title: string | undefined;
  label: string;
}

// Safe: only the link rule makes 'link_open' tokens, and it sets the value.
export const linkTargetOf = (token: Token): LinkTarget => token.meta?.['target'] as LinkTarget;

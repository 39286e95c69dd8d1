import type { Token } from 'markdown-it';

/** HTML, and what a reader reads of it. */
export interface StaticHtml {
  kind: 'static';
  html: string;
  text: string;
}

/** A link whose text is not made of other markup: an address in the text, or what a linkifier found. */
export interface BareLink {
  kind: 'bare-link';
  href: string;
  text: string;
  /** Whether the text itself is the address. */
  isAddress: boolean;
}

/** A player of a sound. */
export interface AudioPlayer {
  kind: 'audio';
  href: string;
  title: string;
}

/** Something in a line that is whole in itself. Mentions and internal links have to be looked up. */
export type Atom = StaticHtml | BareLink | AudioPlayer | Mention | InternalLink;

/** `source` is how it is written, with its marks. */
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
  /** Inside of another link: a link has no links in it. */
  isPlain: boolean;
}

export const staticHtml = (html: string, text: string): StaticHtml => ({ kind: 'static', html, text });

// Safe: 'atom' tokens are made by Line.make alone, which sets it.
export const atomOf = (token: Token): Atom => token.meta?.['atom'] as Atom;

/** A link in a text, as its previews need it. */
export interface PreviewLink {
  href: string;
  /** Null where the text is the address itself. */
  label: string | null;
}

/** What a link written as `[text](address)` leads to. */
export interface LinkTarget {
  href: string;
  title: string | undefined;
  label: string;
}

// Safe: 'link_open' tokens are made by the link rule alone, which sets it.
export const linkTargetOf = (token: Token): LinkTarget => token.meta?.['target'] as LinkTarget;

import type { InternalLink, PreviewLink, Mention } from './atoms.ts';
import type { Options } from './options.ts';
import { type Preview, findPreview, previewedLinksMax } from './previews.ts';
import { type References, referencesMax } from './resolved.ts';
import { uploadOf } from './urls.ts';

/** The greatest length of a text's HTML: 25 times the longest message. */
export const htmlLengthMax = 25 * 10_000;

/** The error for a text whose HTML would be too long. */
export class Unrenderable extends Error {
  override name = 'Unrenderable';
}

/** Finished HTML, and the plain text that it shows. */
interface Shown {
  html: string;
  text: string;
}

/** A part of a text: finished HTML, or a placeholder that needs what was looked up. */
export type TextPart =
  | ({ kind: 'static' } & Shown)
  | Mention
  | InternalLink
  /** What is shown depends on whether the upload exists and the author may read it. */
  | { kind: 'upload'; pathId: string; known: Shown; unknown: Shown };

/** A part of the template. */
export type Part =
  | TextPart
  /** A preview, and the paragraph that it replaces, if it replaces one. */
  | { kind: 'preview'; preview: Preview; replaced: TextPart[] };

/** The HTML of a text as far as it is known without looking anything up, with placeholders for the rest. */
export class HtmlTemplate {
  readonly parts: Part[] = [];
  readonly uploads = new Set<string>();
  readonly links = new Set<string>();
  /** The links outside quotes. */
  readonly ownLinks = new Set<string>();
  readonly options: Options;
  readonly #previewed = new Set<string>();
  readonly #users = new Map<string, References['users'][number]>();
  readonly #groups = new Set<string>();
  readonly #channels = new Set<string>();
  readonly #topics = new Map<string, References['topics'][number]>();
  #html = '';
  #text = '';
  #length = 0;
  #replaceable: TextPart[] | null = null;

  constructor(options: Options) {
    this.options = options;
  }

  /** Characters of HTML so far, without what placeholders become. */
  get length(): number {
    return this.#length;
  }

  writeHtml(html: string): void {
    this.#html += html;
    this.#length += html.length;
    if (this.#length > htmlLengthMax) throw new Unrenderable();
  }

  writeText(text: string): void {
    this.#text += text;
  }

  addPart(part: TextPart): void {
    this.endStatic();
    (this.#replaceable ?? this.parts).push(part);
    this.#refer(part);
  }

  /** Closes the static part that was written so far. */
  endStatic(): void {
    if (this.#html !== '' || this.#text !== '')
      (this.#replaceable ?? this.parts).push({ kind: 'static', html: this.#html, text: this.#text });
    this.#html = '';
    this.#text = '';
  }

  /** HTML from here to the next call of `addPreviews` may be replaced by a preview. */
  beginReplaceable(): void {
    this.endStatic();
    this.#replaceable = [];
  }

  addLink(href: string, { isQuoted }: { isQuoted: boolean }): void {
    this.links.add(href);
    if (!isQuoted) this.ownLinks.add(href);
    const pathId = uploadOf(href);
    if (pathId !== null && this.uploads.size < referencesMax) this.uploads.add(pathId);
  }

  /** Adds the previews of a paragraph's links. Each address is previewed once in a text. */
  addPreviews(links: readonly PreviewLink[]): void {
    this.endStatic();
    let replaceable = this.#replaceable ?? [];
    this.#replaceable = null;
    for (const link of links) {
      const preview = this.#previewed.size < previewedLinksMax ? this.#previewOf(link) : null;
      if (!preview) continue;
      const replaces = preview.kind === 'upload' || (preview.kind === 'html' && preview.isWhole);
      const replaced = replaces ? replaceable : [];
      if (replaces) replaceable = [];
      else this.parts.push(...replaceable.splice(0));
      this.parts.push({ kind: 'preview', preview, replaced });
    }
    this.parts.push(...replaceable);
  }

  #previewOf(link: PreviewLink): Preview | null {
    if (this.#previewed.has(link.href)) return null;
    this.#previewed.add(link.href);
    return findPreview(link, this.options);
  }

  #refer(part: TextPart): void {
    if (part.kind === 'user') {
      const { name, id } = part;
      if (this.#users.size < referencesMax) this.#users.set(`${name.toLowerCase()}|${id}`, { name, id });
    } else if (part.kind === 'group') {
      if (this.#groups.size < referencesMax) this.#groups.add(part.name);
    } else if (part.kind === 'channel') {
      if (this.#channels.size < referencesMax) this.#channels.add(part.channel);
      if (part.topic === null || part.messageId !== null || this.#topics.size >= referencesMax) return;
      this.#topics.set(`${part.channel}>${part.topic}`.toLowerCase(), {
        channel: part.channel,
        topic: part.topic,
      });
    }
  }

  get references(): References {
    return {
      users: [...this.#users.values()],
      groups: [...this.#groups],
      channels: [...this.#channels],
      topics: [...this.#topics.values()],
      uploads: [...this.uploads],
    };
  }
}

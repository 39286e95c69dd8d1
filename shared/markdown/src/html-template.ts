import type { InternalLink, PreviewLink, Mention } from './atoms.ts';
import type { Options } from './options.ts';
import { type Preview, findPreview, isImage, previewedLinksMax } from './previews.ts';
import { type References, referencesMax } from './resolved.ts';
import { uploadOf } from './urls.ts';

/** HTML may be this much longer than the longest message. */
export const htmlLengthMax = 100 * 10_000;

/** A text that cannot be shown: its HTML would be too long. */
export class Unrenderable extends Error {
  override name = 'Unrenderable';
}

/** A part of what a text becomes: as it is, or to be made of what was looked up. */
export type Part =
  | { kind: 'static'; html: string; text: string }
  | Mention
  | InternalLink
  /** With the paragraph that gives way to it, if one does. */
  | { kind: 'preview'; preview: Preview; instead: string | null };

/** What a text becomes, as far as it is known without asking anybody. */
export class HtmlTemplate {
  readonly parts: Part[] = [];
  readonly uploads = new Set<string>();
  readonly links = new Set<string>();
  hasImage = false;
  readonly options: Options;
  readonly #previewed = new Set<string>();
  readonly #users = new Map<string, References['users'][number]>();
  readonly #groups = new Set<string>();
  readonly #channels = new Set<string>();
  readonly #topics = new Map<string, References['topics'][number]>();
  #html = '';
  #text = '';
  #length = 0;
  #isReplaceable = false;

  constructor(options: Options) {
    this.options = options;
  }

  html(html: string): void {
    this.#html += html;
    this.#length += html.length;
    if (this.#length > htmlLengthMax) throw new Unrenderable();
  }

  text(text: string): void {
    this.#text += text;
  }

  add(part: Part): void {
    this.end();
    this.parts.push(part);
    this.#refer(part);
  }

  /** What was written so far is a part of its own. */
  end(): void {
    if (this.#html !== '' || this.#text !== '')
      this.parts.push({ kind: 'static', html: this.#html, text: this.#text });
    this.#html = '';
    this.#text = '';
  }

  /** From here to the next previews, HTML gives way to one of them. */
  beginReplaceable(): void {
    this.end();
    this.#isReplaceable = true;
  }

  linked(href: string): void {
    this.links.add(href);
    const pathId = uploadOf(href);
    if (pathId !== null && this.uploads.size < referencesMax) this.uploads.add(pathId);
    if (isImage(href)) this.hasImage = true;
  }

  /** What the links of a paragraph show, each address once in a text. */
  previews(links: readonly PreviewLink[]): void {
    const isReplaceable = this.#isReplaceable;
    this.#isReplaceable = false;
    for (const link of links) {
      const preview = this.#previewed.size < previewedLinksMax ? this.#previewOf(link) : null;
      if (!preview) continue;
      const replaces =
        isReplaceable && (preview.kind === 'upload' || (preview.kind === 'html' && preview.isWhole));
      const instead = replaces ? this.#html : null;
      if (replaces) this.#html = '';
      this.add({ kind: 'preview', preview, instead });
    }
  }

  #previewOf(link: PreviewLink): Preview | null {
    if (this.#previewed.has(link.href)) return null;
    this.#previewed.add(link.href);
    return findPreview(link, this.options);
  }

  #refer(part: Part): void {
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

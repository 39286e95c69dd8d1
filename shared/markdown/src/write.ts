import type { Token } from 'markdown-it';

import {
  type BareLink,
  type PreviewLink,
  type Atom,
  type AudioPlayer,
  atomOf,
  linkTargetOf,
} from './atoms.ts';
import { codeHtml } from './code/highlight.ts';
import { tidyCode } from './code/tidy.ts';
import { attributes, escapeHtml } from './escape.ts';
import { formula } from './formula.ts';
import { HtmlTemplate } from './html-template.ts';
import { texError } from './inline/enclosed.ts';
import type { Options } from './options.ts';
import { soundHtml } from './previews.ts';
import { uploadOf } from './urls.ts';

/** Writes the tokens of a text to a template. */
export function write(tokens: readonly Token[], options: Options): HtmlTemplate {
  const template = new HtmlTemplate(options);
  new Writer(template).blocks(tokens);
  return template;
}

class Writer {
  readonly #template: HtmlTemplate;
  #quotes = 0;
  #links: PreviewLink[] = [];

  constructor(template: HtmlTemplate) {
    this.#template = template;
  }

  blocks(tokens: readonly Token[]): void {
    for (const [at, token] of tokens.entries()) this.#block(token, tokens[at + 1]);
  }

  #block(token: Token, next: Token | undefined): void {
    const template = this.#template;
    switch (token.type) {
      case 'inline':
        this.#inline(token.children ?? []);
        break;
      case 'paragraph_open':
        this.#openParagraph(token.hidden ? '' : '<p>', next);
        break;
      case 'paragraph_close':
        this.#closeParagraph(token.hidden ? '' : '</p>\n');
        break;
      case 'heading_open':
        template.writeHtml(`<${token.tag}>`);
        break;
      case 'heading_close':
        this.#closeParagraph(`</${token.tag}>\n`);
        break;
      case 'blockquote_open':
        this.#quotes += 1;
        template.writeHtml('<blockquote>\n');
        break;
      case 'blockquote_close':
        this.#quotes -= 1;
        template.writeHtml('</blockquote>\n');
        break;
      case 'ordered_list_open':
        template.writeHtml(`<ol${attributes({ start: token.attrGet('start')?.toString() })}>
`);
        break;
      case 'list_item_open':
        template.writeHtml(next?.hidden === true || next?.type === 'list_item_close' ? '<li>' : '<li>\n');
        break;
      case 'th_open':
      case 'td_open':
        template.writeHtml(`<${token.tag}${attributes({ style: alignmentOf(token) })}>`);
        break;
      case 'table_close':
        this.#closeParagraph('</table>\n');
        break;
      case 'spoiler_open':
        template.writeHtml('<div class="spoiler-block"><div class="spoiler-header">\n');
        break;
      case 'spoiler_body':
        template.writeHtml('</div><div class="spoiler-content" aria-hidden="true">\n');
        break;
      case 'spoiler_close':
        template.writeHtml('</div></div>\n');
        break;
      case 'code_block':
        this.#code(token);
        break;
      case 'math_block':
        this.#math(token.content);
        break;
      case 'hr':
        template.writeHtml('<hr>\n');
        break;
      default:
        template.writeHtml(token.nesting === 1 ? `<${token.tag}>\n` : `</${token.tag}>\n`);
    }
    if (token.type === 'td_close' || token.type === 'th_close') template.writeText('\n');
  }

  #code({ content, info }: Token): void {
    const code = tidyCode(content);
    this.#template.writeHtml(`${codeHtml(code, info)}\n`);
    this.#template.writeText(`${code}\n`);
  }

  #math(content: string): void {
    const sources = content
      .split(/\n(?:[^\S\n]*\n)+/)
      .map((part) => part.trim())
      .filter(Boolean);
    if (sources.length === 0) return;
    this.#template.writeHtml('<p>');
    for (const [at, source] of sources.entries()) {
      if (at > 0) this.#template.writeHtml('\n\n');
      this.#template.writeHtml(formula(source, { isDisplay: true }) ?? texError(source));
      this.#template.writeText(`${source}\n`);
    }
    this.#template.writeHtml('</p>\n');
  }

  /** A paragraph that consists of one address is replaced by the address's preview. */
  #openParagraph(tag: string, inline: Token | undefined): void {
    const [only, second] = inline?.children ?? [];
    const atom = only?.type === 'atom' && !second ? atomOf(only) : null;
    if (atom?.kind === 'bare-link' && atom.isAddress && this.#quotes === 0) this.#template.beginReplaceable();
    this.#template.writeHtml(tag);
  }

  #closeParagraph(tag: string): void {
    this.#template.writeHtml(tag);
    this.#template.writeText('\n');
    this.#template.addPreviews(this.#links);
    this.#links = [];
  }

  #inline(tokens: readonly Token[]): void {
    const template = this.#template;
    for (const token of tokens) {
      switch (token.type) {
        case 'text':
          template.writeHtml(escapeHtml(token.content));
          template.writeText(token.content);
          break;
        case 'text_special':
          template.writeHtml(token.content === '\uFFFD' ? '\uFFFD' : token.markup);
          template.writeText(token.content);
          break;
        case 'atom':
          this.#atom(atomOf(token));
          break;
        case 'link_open': {
          const { href, title, label } = linkTargetOf(token);
          template.writeHtml(`<a${attributes({ href, title })}>`);
          this.#link({ href, label });
          break;
        }
        case 'link_close':
          template.writeHtml('</a>');
          break;
        case 'softbreak':
        case 'hardbreak':
          template.writeHtml('<br>\n');
          template.writeText('\n');
          break;
        default:
          template.writeHtml(token.type === 'open' ? `<${token.tag}>` : `</${token.tag}>`);
      }
    }
  }

  #atom(atom: Atom): void {
    if (atom.kind === 'static') {
      this.#template.writeHtml(atom.html);
      this.#template.writeText(atom.text);
    } else if (atom.kind === 'bare-link') this.#bare(atom);
    else if (atom.kind === 'audio') this.#player(atom);
    // Mentions in quotes are silent.
    else if ('silent' in atom) this.#template.addPart({ ...atom, silent: atom.silent || this.#quotes > 0 });
    else this.#template.addPart(atom);
  }

  #bare({ href, text, isAddress }: BareLink): void {
    this.#template.writeHtml(linkHtml(href, text));
    this.#template.writeText(text);
    this.#link({ href, label: isAddress ? null : text });
  }

  /** Writes the player of a sound. That of an upload which does not exist is a link. */
  #player({ href, title }: AudioPlayer): void {
    const text = title.trim() === '' ? href : title;
    const known = { html: soundHtml(href, title), text: title };
    const pathId = uploadOf(href);
    if (pathId === null) {
      this.#template.writeHtml(known.html);
      this.#template.writeText(known.text);
    } else
      this.#template.addPart({
        kind: 'upload',
        pathId,
        known,
        unknown: { html: linkHtml(href, text), text },
      });
    this.#template.addLink(href, { isQuoted: this.#quotes > 0 });
  }

  #link(linked: PreviewLink): void {
    const isQuoted = this.#quotes > 0;
    this.#template.addLink(linked.href, { isQuoted });
    if (!isQuoted) this.#links.push(linked);
  }
}

const linkHtml = (href: string, text: string) => `<a${attributes({ href })}>${escapeHtml(text)}</a>`;

function alignmentOf(token: Token): string | undefined {
  // Safe: only the table rule makes these tokens, and it sets the value.
  const side = token.meta?.['side'] as string;
  return side === '' ? undefined : `text-align: ${side};`;
}

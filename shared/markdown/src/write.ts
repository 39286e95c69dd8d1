import type { Token } from 'markdown-it';

import { codeHtml } from './code/highlight.ts';
import { attributes, escapeHtml } from './escape.ts';
import { formula } from './formula.ts';
import { texError } from './inline/rules.ts';
import type { Options } from './options.ts';
import { type Bare, type Linked, type Piece, type Player, pieceOf, targetOf } from './pieces.ts';
import { soundHtml } from './previews.ts';
import { Sheet } from './sheet.ts';

/** Writes the tokens of a text onto a sheet. */
export function write(tokens: readonly Token[], options: Options): Sheet {
  const sheet = new Sheet(options);
  new Writer(sheet).blocks(tokens);
  return sheet;
}

const alignments: Record<string, string> = { left: 'left', center: 'center', right: 'right' };

class Writer {
  readonly #sheet: Sheet;
  #quotes = 0;
  #links: Linked[] = [];

  constructor(sheet: Sheet) {
    this.#sheet = sheet;
  }

  blocks(tokens: readonly Token[]): void {
    for (const [at, token] of tokens.entries()) this.#block(token, tokens[at + 1]);
  }

  #block(token: Token, next: Token | undefined): void {
    const sheet = this.#sheet;
    switch (token.type) {
      case 'inline':
        this.#inline(token.children ?? []);
        break;
      case 'paragraph_open':
        if (!token.hidden) this.#openParagraph('<p>', next);
        break;
      case 'paragraph_close':
        this.#closeParagraph(token.hidden ? '' : '</p>\n');
        break;
      case 'heading_open':
        sheet.html(`<${token.tag}>`);
        break;
      case 'heading_close':
        this.#closeParagraph(`</${token.tag}>\n`);
        break;
      case 'blockquote_open':
        this.#quotes += 1;
        sheet.html('<blockquote>\n');
        break;
      case 'blockquote_close':
        this.#quotes -= 1;
        sheet.html('</blockquote>\n');
        break;
      case 'ordered_list_open':
        sheet.html(`<ol${attributes({ start: token.attrGet('start')?.toString() })}>
`);
        break;
      case 'list_item_open':
        sheet.html(next?.hidden === true || next?.type === 'list_item_close' ? '<li>' : '<li>\n');
        break;
      case 'th_open':
      case 'td_open':
        sheet.html(`<${token.tag}${attributes({ style: alignmentOf(token) })}>`);
        break;
      case 'table_close':
        this.#closeParagraph('</table>\n');
        break;
      case 'spoiler_open':
        sheet.html('<div class="spoiler-block"><div class="spoiler-header">\n');
        break;
      case 'spoiler_body':
        sheet.html('</div><div class="spoiler-content" aria-hidden="true">\n');
        break;
      case 'spoiler_close':
        sheet.html('</div></div>\n');
        break;
      case 'code_block':
        this.#code(token);
        break;
      case 'math_block':
        this.#math(token.content);
        break;
      case 'hr':
        sheet.html('<hr>\n');
        break;
      default:
        sheet.html(token.nesting === 1 ? `<${token.tag}>\n` : `</${token.tag}>\n`);
    }
    if (token.type === 'td_close' || token.type === 'th_close') sheet.text('\n');
  }

  #code({ content, info }: Token): void {
    const code = content.replaceAll(/[ \t]+$/gm, '').replace(/\n$/, '');
    this.#sheet.html(`${codeHtml(code, info)}\n`);
    this.#sheet.text(`${code}\n`);
  }

  #math(content: string): void {
    for (const source of content.split(/\n\s*\n/).map((part) => part.trim())) {
      if (source === '') continue;
      this.#sheet.html(`<p>${formula(source, { isDisplay: true }) ?? texError(source)}</p>\n`);
      this.#sheet.text(`${source}\n`);
    }
  }

  /** A paragraph that is nothing but an address gives way to what the address shows. */
  #openParagraph(tag: string, inline: Token | undefined): void {
    const [only, second] = inline?.children ?? [];
    const piece = only?.type === 'piece' && !second ? pieceOf(only) : null;
    if (piece?.kind === 'bare' && piece.isAddress && this.#quotes === 0) this.#sheet.beginReplaceable();
    this.#sheet.html(tag);
  }

  #closeParagraph(tag: string): void {
    this.#sheet.html(tag);
    this.#sheet.text('\n');
    this.#sheet.previews(this.#links);
    this.#links = [];
  }

  #inline(tokens: readonly Token[]): void {
    const sheet = this.#sheet;
    for (const token of tokens) {
      switch (token.type) {
        case 'text':
          sheet.html(escapeHtml(token.content));
          sheet.text(token.content);
          break;
        case 'text_special':
          sheet.html(token.content === '\uFFFD' ? '\uFFFD' : token.markup);
          sheet.text(token.content);
          break;
        case 'piece':
          this.#piece(pieceOf(token));
          break;
        case 'link_open': {
          const { href, title, label } = targetOf(token);
          sheet.html(`<a${attributes({ href, title })}>`);
          this.#link({ href, label });
          break;
        }
        case 'link_close':
          sheet.html('</a>');
          break;
        case 'softbreak':
        case 'hardbreak':
          sheet.html('<br>\n');
          sheet.text('\n');
          break;
        default:
          sheet.html(token.type === 'open' ? `<${token.tag}>` : `</${token.tag}>`);
      }
    }
  }

  #piece(piece: Piece): void {
    if (piece.kind === 'still') {
      this.#sheet.html(piece.html);
      this.#sheet.text(piece.text);
    } else if (piece.kind === 'bare') this.#bare(piece);
    else if (piece.kind === 'player') this.#player(piece);
    // What is quoted is not addressed to anyone.
    else if ('silent' in piece) this.#sheet.add({ ...piece, silent: piece.silent || this.#quotes > 0 });
    else this.#sheet.add(piece);
  }

  #bare({ href, text, isAddress }: Bare): void {
    this.#sheet.html(`<a${attributes({ href })}>${escapeHtml(text)}</a>`);
    this.#sheet.text(text);
    this.#link({ href, label: isAddress ? null : text });
  }

  #player({ href, title }: Player): void {
    this.#sheet.html(soundHtml(href, title, this.#sheet.options));
    this.#sheet.text(title);
    this.#sheet.linked(href);
  }

  #link(linked: Linked): void {
    this.#sheet.linked(linked.href);
    if (this.#quotes === 0) this.#links.push(linked);
  }
}

function alignmentOf(token: Token): string | undefined {
  const side = alignments[String(token.attrGet('style') ?? '').replace('text-align:', '')];
  return side === undefined ? undefined : `text-align: ${side};`;
}

import { escapeHtml } from '@parley/markdown';
import { Parser } from 'htmlparser2';

/** A message without what needs the application: pictures, previews, and what a spoiler hides. */
export interface ReadableMessage {
  text: string;
  /** HTML of few tags, none of which has anything but a link. */
  html: string;
}

interface ReadOptions {
  /** The address that links of the organization start from. */
  baseUrl: string;
  /** Whether the text shows where its links lead. */
  withLinks: boolean;
}

const keptTags = new Set(
  'p br strong em del code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 table thead tbody tr th td hr'.split(
    ' ',
  ),
);
const lines = new Set('p br div pre blockquote li h1 h2 h3 h4 h5 h6 tr hr'.split(' '));
const hiddenClasses = ['message_inline_image', 'message_inline_video', 'message_embed', 'katex-html'];

/** What is shown instead of an element and everything in it; null where the element is shown. */
function replacementOf(tag: string, attributes: Record<string, string>): string | null {
  const classes = (attributes['class'] ?? '').split(' ');
  const codes = classes.map((name) => /^emoji-([0-9a-f]+(?:-[0-9a-f]+)*)$/.exec(name)?.[1]).find(Boolean);
  if (codes) return String.fromCodePoint(...codes.split('-').map((code) => Number.parseInt(code, 16)));
  if (tag === 'img') return attributes['alt'] ?? '';
  if (classes.includes('spoiler-content')) return '(…)';
  // A formula stands there as MathML and as TeX, which is in the annotation.
  return tag === 'mrow' || hiddenClasses.some((name) => classes.includes(name)) ? '' : null;
}

function absoluteUrl(href: string | undefined, baseUrl: string): string | null {
  if (href === undefined || !URL.canParse(href, `${baseUrl}/`)) return null;
  const url = new URL(href, `${baseUrl}/`);
  return /^(?:https?|mailto):$/.test(url.protocol) ? url.href : null;
}

/** Reads the HTML of a message, for where it is shown outside of the application. */
export function readMessage(rendered: string, options: ReadOptions): ReadableMessage {
  const reading = new MessageReading(options);
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => reading.open(tag, attributes),
      ontext: (shown) => reading.read(shown),
      onclosetag: (tag) => reading.close(tag),
    },
    { decodeEntities: true },
  );
  parser.end(rendered);
  return reading.result();
}

/** What has been read of a message, as HTML and as text. */
class MessageReading {
  private readonly options: ReadOptions;
  private html = '';
  private text = '';
  /** How many elements are open in one that is not shown, that one included. */
  private hiddenDepth = 0;
  /** How many quotes are open. */
  private quotes = 0;
  /** The links that are open, and where their texts start. */
  private readonly links: { url: string | null; start: number }[] = [];

  constructor(options: ReadOptions) {
    this.options = options;
  }

  result(): ReadableMessage {
    const shownLines = this.text.split('\n').filter((line) => /[^> ]/.test(line));
    return { text: shownLines.join('\n').trim(), html: this.html };
  }

  read(shown: string): void {
    if (this.hiddenDepth === 0) this.write(shown);
  }

  open(tag: string, attributes: Record<string, string>): void {
    if (this.hiddenDepth > 0) {
      this.hiddenDepth += 1;
      return;
    }
    const replacement = replacementOf(tag, attributes);
    if (replacement !== null) {
      this.hiddenDepth = 1;
      this.write(replacement);
      return;
    }
    if (tag === 'blockquote') this.quotes += 1;
    if (lines.has(tag)) this.newLine();
    if (tag === 'li') this.text += '- ';
    if (keptTags.has(tag)) this.html += `<${tag}>`;
    if (tag === 'a') {
      const url = absoluteUrl(attributes['href'], this.options.baseUrl);
      this.links.push({ url, start: this.text.length });
      this.html += url === null ? '<span>' : `<a href="${escapeHtml(url)}">`;
    }
  }

  close(tag: string): void {
    if (this.hiddenDepth > 0) {
      this.hiddenDepth -= 1;
      return;
    }
    if (tag === 'a') this.closeLink();
    else if (keptTags.has(tag) && tag !== 'br' && tag !== 'hr') this.html += `</${tag}>`;
    if (tag === 'td' || tag === 'th') this.text += ' ';
    if (tag === 'blockquote') this.quotes -= 1;
    if (lines.has(tag) && tag !== 'br') this.newLine();
  }

  private closeLink(): void {
    const link = this.links.pop();
    this.html += link?.url ? '</a>' : '</span>';
    const isNew = link?.url && !this.text.slice(link.start).includes(link.url);
    if (this.options.withLinks && isNew) this.text += ` <${link.url}>`;
  }

  private newLine(): void {
    this.text = `${this.text.trimEnd()}\n${'> '.repeat(this.quotes)}`;
  }

  private write(shown: string): void {
    this.text += shown;
    this.html += escapeHtml(shown);
  }
}

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
export function readMessage(rendered: string, { baseUrl, withLinks }: ReadOptions): ReadableMessage {
  let html = '';
  let text = '';
  let hiddenDepth = 0;
  let quotes = 0;
  const links: { url: string | null; start: number }[] = [];

  const newLine = () => {
    text = `${text.trimEnd()}\n${'> '.repeat(quotes)}`;
  };
  const write = (shown: string) => {
    text += shown;
    html += escapeHtml(shown);
  };

  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (hiddenDepth > 0) {
          hiddenDepth += 1;
          return;
        }
        const replacement = replacementOf(tag, attributes);
        if (replacement !== null) {
          hiddenDepth = 1;
          write(replacement);
          return;
        }
        if (tag === 'blockquote') quotes += 1;
        if (lines.has(tag)) newLine();
        if (tag === 'li') text += '- ';
        if (keptTags.has(tag)) html += `<${tag}>`;
        if (tag === 'a') {
          const url = absoluteUrl(attributes['href'], baseUrl);
          links.push({ url, start: text.length });
          html += url === null ? '<span>' : `<a href="${escapeHtml(url)}">`;
        }
      },
      ontext(shown) {
        if (hiddenDepth === 0) write(shown);
      },
      onclosetag(tag) {
        if (hiddenDepth > 0) {
          hiddenDepth -= 1;
          return;
        }
        if (tag === 'a') {
          const link = links.pop();
          html += link?.url ? '</a>' : '</span>';
          const isNew = link?.url && !text.slice(link.start).includes(link.url);
          if (withLinks && isNew) text += ` <${link.url}>`;
        } else if (keptTags.has(tag) && tag !== 'br' && tag !== 'hr') html += `</${tag}>`;
        if (tag === 'td' || tag === 'th') text += ' ';
        if (tag === 'blockquote') quotes -= 1;
        if (lines.has(tag) && tag !== 'br') newLine();
      },
    },
    { decodeEntities: true },
  );
  parser.end(rendered);
  const shownLines = text.split('\n').filter((line) => /[^> ]/.test(line));
  return { text: shownLines.join('\n').trim(), html };
}

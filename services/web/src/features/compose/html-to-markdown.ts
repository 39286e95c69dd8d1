import { gfm } from '@joplin/turndown-plugin-gfm';
import TurndownService from 'turndown';

import { fenced } from '../../base/fields/fenced.ts';

/** What turndown hands to a rule: an element of the browser's, or of its own parser elsewhere. */
type Element = TurndownService.Node & HTMLElement;

const has = (node: Element, name: string) => (node.getAttribute('class') ?? '').split(/\s+/).includes(name);
const styleOf = (node: Element) => (node.getAttribute('style') ?? '').toLowerCase();

const isBold = (style: string) => /font-weight:\s*(?:bold|[6-9]00)/.test(style);
const isItalic = (style: string) => /font-style:\s*italic/.test(style);

/** Marks a text without the spaces around it, which would be no mark otherwise. */
function marked(content: string, mark: string): string {
  const text = content.trim();
  if (text === '') return content;
  const at = content.indexOf(text);
  return `${content.slice(0, at)}${mark}${text}${mark}${content.slice(at + text.length)}`;
}

/** An address that a message may link to. */
const isLinked = (address: string) => /^(?:https?:|mailto:)/i.test(address);

function linkOf(content: string, node: Element): string {
  const address = node.getAttribute('href') ?? '';
  const text = content.trim();
  if (!isLinked(address) || text === '') return content;
  return text === address || text === address.replace(/^mailto:/i, '') ? text : `[${text}](${address})`;
}

function pictureOf(node: Element): string {
  const [address, alt] = [node.getAttribute('src') ?? '', node.getAttribute('alt') ?? ''];
  return /^https?:/i.test(address) ? `[${alt || address}](${address})` : alt;
}

/** A mention as the text of a message has it, of an element whose text is as messages show it. */
function mentionOf(node: Element): string {
  const name = (node.textContent ?? '').replace(/^@/, '');
  const sign = has(node, 'silent') ? '@_' : '@';
  return has(node, 'user-group-mention') ? `${sign}*${name}*` : `${sign}**${name}**`;
}

const channelLinkOf = (node: Element) =>
  `#**${(node.textContent ?? '').replace(/^#/, '').replace(/ (?:>|›) /, '>')}**`;

function codeOf(node: Element): string {
  const language = (node.parentNode as Element | null)?.getAttribute('data-code-language') ?? '';
  return `\n\n${fenced((node.textContent ?? '').replace(/\n$/, ''), language.toLowerCase())}\n\n`;
}

function itemOf(content: string, node: Element): string {
  const parent = node.parentNode as Element;
  const start = Number(parent.getAttribute('start') ?? '1');
  const items = [...parent.childNodes].filter(({ nodeName }) => nodeName === 'LI');
  const mark = parent.nodeName === 'OL' ? `${start + items.indexOf(node)}. ` : '- ';
  const lines = content
    .trim()
    .replace(/\n{2,}/g, '\n')
    .split('\n');
  return `${mark}${lines.join(`\n${' '.repeat(2)}`)}${node.nextSibling ? '\n' : ''}`;
}

/** The formula of a rendered one. */
function formulaOf(node: Element): string {
  const text = (node.querySelector('annotation')?.textContent ?? '').trim();
  return has(node, 'katex-display') ? `\n\n${fenced(text, 'math')}\n\n` : `$$${text}$$`;
}

const createService = (): TurndownService => {
  const service = new TurndownService({
    headingStyle: 'atx',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    br: '',
    hr: '---',
  });
  service.use(gfm);
  // The dialect of messages has no signs that take the meaning from others.
  service.escape = (text) => text;
  service.remove(['script', 'style', 'title', 'noscript', 'template']);
  const rule = (
    name: string,
    filter: (node: Element) => boolean,
    replacement: (content: string, node: Element) => string,
  ) => service.addRule(name, { filter, replacement });

  const named = (name: string) => (node: Element) => node.nodeName === name;
  rule('link', named('A'), linkOf);
  rule('picture', named('IMG'), (_, node) => pictureOf(node));
  rule('item', named('LI'), itemOf);
  rule('code', named('PRE'), (_, node) => codeOf(node));
  rule(
    'strike',
    (node) => /^(?:DEL|S|STRIKE)$/.test(node.nodeName),
    (content) => marked(content, '~~'),
  );
  rule(
    'emphasis',
    (node) => /^(?:EM|I)$/.test(node.nodeName),
    (content) => marked(content, '*'),
  );
  // Some programs wrap all that is copied into an element that is bold and says that it is not.
  rule(
    'strong',
    (node) => /^(?:B|STRONG)$/.test(node.nodeName),
    (content, node) =>
      /font-weight:\s*(?:normal|400)/.test(styleOf(node)) ? content : marked(content, '**'),
  );
  rule(
    'styled',
    (node) => node.nodeName === 'SPAN' && (isBold(styleOf(node)) || isItalic(styleOf(node))),
    (content, node) => {
      const italic = isItalic(styleOf(node)) ? marked(content, '*') : content;
      return isBold(styleOf(node)) ? marked(italic, '**') : italic;
    },
  );
  rule(
    'mention',
    (node) => has(node, 'user-mention') || has(node, 'user-group-mention'),
    (_, node) => mentionOf(node),
  );
  rule(
    'channel',
    (node) => named('A')(node) && (has(node, 'stream') || has(node, 'stream-topic')),
    (_, node) => channelLinkOf(node),
  );
  rule(
    'emoji',
    (node) => has(node, 'emoji'),
    (_, node) =>
      `:${(node.getAttribute('title') ?? node.getAttribute('alt') ?? '').replaceAll(':', '').trim().replaceAll(' ', '_')}:`,
  );
  rule(
    'formula',
    (node) => has(node, 'katex') || has(node, 'katex-display'),
    (_, node) => formulaOf(node),
  );
  return service;
};

/**
 * Writes what was copied from a page, a document or a message as Markdown of messages.
 *
 * @param html parsed apart from the page; without a browser, the text
 */
export const toMarkdown = (html: string | HTMLElement): string =>
  createService()
    .turndown(html)
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

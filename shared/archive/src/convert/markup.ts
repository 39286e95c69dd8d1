/** The mention of all of a channel. */
export const mentionAll = '@**all**';

/** Returns a link in Markdown; the address alone where the words say nothing else. */
export function link(words: string, url: string): string {
  const address = url.replaceAll(/[\s<>]/g, (one) => encodeURIComponent(one));
  const shown = words.replaceAll(/[[\]\n]/g, ' ').trim();
  if (shown === '' || shown === url || `mailto:${shown}` === url) return url.replace(/^mailto:/, '');
  return `[${shown}](${address.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

export const quoteOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/** Returns code as a block of its own, with a fence that it does not contain. */
export function codeBlock(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `\n${fence}\n${code.replace(/^\n+|\n+$/g, '')}\n${fence}\n`;
}

/** Returns code within a line. */
export const inlineCode = (code: string): string =>
  code.includes('`') ? `\`\` ${code} \`\`` : `\`${code.replaceAll('\n', ' ')}\``;

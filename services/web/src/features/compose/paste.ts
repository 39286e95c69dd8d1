import { getFieldSelection, insertTextIntoField } from 'text-field-edit';

import { parseApart } from '../../base/html/html-policy.ts';

/** What is longer is pasted as the plain text that it is. */
const htmlMax = 200_000;

const isAddress = (text: string) => /^https?:\/\/\S+$/i.test(text);

/** Whether a text ends in code that is not closed, where nothing is formatted. */
export function endsInCode(text: string): boolean {
  const lines = text.split('\n');
  let fence: string | null = null;
  for (const line of lines) {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark === undefined) continue;
    if (fence === null) fence = mark;
    else if (mark[0] === fence[0] && mark.length >= fence.length) fence = null;
  }
  return fence !== null || (lines.at(-1) ?? '').split('`').length % 2 === 0;
}

/**
 * Pastes into a field what has more to it than its plain text: an address over words becomes their link, and what was
 * formatted is written as Markdown; undoing leads to the plain text. Returns false where there is nothing of that.
 */
export function pasteFormatted(area: HTMLTextAreaElement, data: DataTransfer): boolean {
  const [plain, html] = [data.getData('text/plain'), data.getData('text/html')];
  const selected = getFieldSelection(area);
  const before = area.value.slice(0, area.selectionStart);
  if (plain === '' || endsInCode(before)) return false;
  const address = plain.trim();
  if (isAddress(address) && /^[^\n]*\S[^\n]*$/.test(selected) && !isAddress(selected.trim())) {
    insertTextIntoField(area, `[${selected}](${address})`);
    return true;
  }
  // Editors of code say how they color it, which is not meant.
  if (html === '' || html.length > htmlMax || data.types.includes('vscode-editor-data')) return false;
  const start = area.selectionStart;
  insertTextIntoField(area, plain);
  void formatPasted(area, { html, start });
  return true;
}

/** Puts Markdown in the place of what was pasted, unless the text has changed since. */
async function formatPasted(
  area: HTMLTextAreaElement,
  { html, start }: { html: string; start: number },
): Promise<void> {
  const { value, selectionEnd: end } = area;
  const { toMarkdown } = await import('./html-to-markdown.ts');
  const markdown = toMarkdown(parseApart(html));
  if (markdown === '' || area.value !== value || markdown === value.slice(start, end).trim()) return;
  area.setSelectionRange(start, end);
  insertTextIntoField(area, markdown);
}

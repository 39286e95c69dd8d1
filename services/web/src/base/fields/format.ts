import { getFieldSelection, insertTextIntoField, wrapFieldSelection } from 'text-field-edit';

import { toolText } from '../../strings/compose.ts';
import { fenced } from './fenced.ts';

export type Format = 'bold' | 'italic' | 'strike' | 'code' | 'link' | 'list' | 'quote' | 'spoiler' | 'math';

/** What each format is called, and its key with Ctrl. */
export const formats: Record<Format, { name: string; key?: string }> = {
  bold: { name: toolText.bold, key: 'b' },
  italic: { name: toolText.italic, key: 'i' },
  strike: { name: toolText.strike },
  code: { name: toolText.code, key: 'e' },
  link: { name: toolText.link, key: 'L' },
  list: { name: toolText.list },
  quote: { name: toolText.quote },
  spoiler: { name: toolText.spoiler },
  math: { name: toolText.math },
};

/** Lines with a mark before each; without it, if all have it. */
export function markLines(text: string, mark: string): string {
  const lines = text.split('\n');
  const isMarked = lines.every((line) => line.startsWith(mark));
  return lines.map((line) => (isMarked ? line.slice(mark.length) : `${mark}${line}`)).join('\n');
}

const wraps: Partial<Record<Format, readonly [string, string]>> = {
  bold: ['**', '**'],
  italic: ['*', '*'],
  strike: ['~~', '~~'],
  link: ['[', '](url)'],
};

/** Formats what is selected in a field. It can be undone as what is typed. */
export function format(field: HTMLTextAreaElement, wanted: Format): void {
  const selected = getFieldSelection(field);
  const wrap = wraps[wanted];
  if (wrap) wrapFieldSelection(field, ...wrap);
  else if (wanted === 'code' && !selected.includes('\n')) wrapFieldSelection(field, '`', '`');
  else if (wanted === 'code') insertTextIntoField(field, fenced(selected));
  else if (wanted === 'math' && !selected.includes('\n')) wrapFieldSelection(field, '$$', '$$');
  else if (wanted === 'list') insertTextIntoField(field, markLines(selected, '- '));
  else insertTextIntoField(field, fenced(selected, wanted === 'spoiler' ? 'spoiler ' : wanted));
}

/** Returns the format of a key that is pressed with Ctrl. */
export function formatOfKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): Format | null {
  if (!(ctrlKey || metaKey) || altKey) return null;
  const found = (Object.keys(formats) as Format[]).find((name) => formats[name].key === key);
  return found ?? null;
}

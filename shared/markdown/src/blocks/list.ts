import type { StateBlock } from 'markdown-it';

import { type BlockRule, lineText } from './lines.ts';

/** The least indentation of the further lines of an item, whatever the width of its marker. */
const itemIndent = 2;

interface Marker {
  isOrdered: boolean;
  number: number;
  /** The position at which the item's text starts. */
  contentAt: number;
  isEmpty: boolean;
}

function readMarker(state: StateBlock, line: number): Marker | null {
  const [symbol, number] = /^(?:[*+-]|(\d{1,9})\.)(?=[ \t]|$)/.exec(lineText(state, line).slice(0, 11)) ?? [];
  if (symbol === undefined) return null;
  const end = state.eMarks[line] ?? 0;
  const contentAt = Math.min(
    state.skipSpaces((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0) + symbol.length),
    end,
  );
  return {
    isOrdered: number !== undefined,
    number: Number(number ?? 0),
    contentAt,
    isEmpty: contentAt >= end,
  };
}

/**
 * Parses an item: the rest of its first line, and the indented lines below it. Returns whether the item is tight,
 * that is, without blank lines.
 */
function readItem(state: StateBlock, line: number, endLine: number, marker: Marker): boolean {
  const { bMarks, tShift, sCount, tight, listIndent, blkIndent } = state;
  const [begin, shift, indent] = [bMarks[line] ?? 0, tShift[line] ?? 0, sCount[line] ?? 0];
  [bMarks[line], tShift[line], sCount[line]] = [marker.contentAt, 0, indent + itemIndent];
  state.listIndent = blkIndent;
  state.blkIndent = indent + itemIndent;
  state.tight = true;
  if (marker.isEmpty && state.isEmpty(line + 1)) state.line = Math.min(line + 2, endLine);
  else state.md.block.tokenize(state, line, endLine);
  const isTight = state.tight;
  [bMarks[line], tShift[line], sCount[line]] = [begin, shift, indent];
  Object.assign(state, { tight, listIndent, blkIndent });
  return isTight;
}

/** The items of a tight list are not paragraphs. */
function hideParagraphs(state: StateBlock, from: number): void {
  const level = state.level + 2;
  for (let at = from + 2; at < state.tokens.length - 2; at += 1) {
    const [opening, closing] = [state.tokens[at], state.tokens[at + 2]];
    if (opening?.level !== level || opening.type !== 'paragraph_open' || !closing) continue;
    opening.hidden = true;
    closing.hidden = true;
    at += 2;
  }
}

/**
 * Whether a list may start right after a line of text. A high number there belongs to a sentence: `1986. What a
 * year`.
 */
const mayInterrupt = ({ isOrdered, number }: Marker) => !isOrdered || number < 10;

export const list: BlockRule = (state, startLine, endLine, silent) => {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const first = readMarker(state, startLine);
  if (!first || first.isEmpty) return false;
  if (silent) return state.parentType !== 'paragraph' || mayInterrupt(first);
  const from = state.tokens.length;
  const [name, tag] = first.isOrdered ? ['ordered_list', 'ol'] : ['bullet_list', 'ul'];
  const opening = state.push(`${name}_open`, tag, 1);
  if (first.isOrdered && first.number !== 1) opening.attrs = [['start', first.number]];
  const { parentType } = state;
  state.parentType = 'list';
  const terminators = state.md.block.ruler.getRules('list');
  let isTight = true;
  let endedEmpty = false;
  let line = startLine;
  for (
    let marker: Marker | null = first;
    marker?.isOrdered === first.isOrdered;
    marker = readMarker(state, line)
  ) {
    const itemLine = line;
    state.push('list_item_open', 'li', 1);
    if (!readItem(state, line, endLine, marker) || endedEmpty) isTight = false;
    line = state.line;
    endedEmpty = line - itemLine > 1 && state.isEmpty(line - 1);
    state.push('list_item_close', 'li', -1);
    const indent = state.sCount[line] ?? 0;
    if (line >= endLine || indent < state.blkIndent || indent - state.blkIndent >= 4) break;
    if (terminators.some((rule) => rule(state, line, endLine, true))) break;
  }
  state.push(`${name}_close`, tag, -1);
  state.line = line;
  state.parentType = parentType;
  if (isTight) hideParagraphs(state, from);
  return true;
};

import type { StateBlock } from 'markdown-it';

import { findCodeSpans } from '../inline/code-spans.ts';
import { type BlockRule, lineText } from './lines.ts';

/** Cells that rows lack are added. A text with more of them would be too long as HTML. */
const addedCellsMax = 25_000;

type Side = 'left' | 'center' | 'right' | '';

/** The texts of a row's cells. A pipe in code, or behind a backslash, does not end a cell. */
function cellsOf(row: string): string[] {
  const code = row.includes('`') ? findCodeSpans(row) : undefined;
  const cells: string[] = [];
  let from = 0;
  for (let at = 0; at < row.length; at += 1) {
    const character = row[at];
    if (character === '`') at = (code?.get(at)?.end ?? at + 1) - 1;
    else if (character === '|' && row[at - 1] !== '\\') {
      cells.push(row.slice(from, at));
      from = at + 1;
    }
  }
  cells.push(row.slice(from));
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** The alignments that the line below the headings gives; null if it is not such a line. */
function readAlignments(text: string): Side[] | null {
  if (!/^[|:-][|:\- \t]+$/.test(text) || /^-[ \t]/.test(text)) return null;
  const sides: Side[] = [];
  for (const column of text.replace(/^\|/, '').replace(/\|$/, '').split('|')) {
    const [, left, right] = /^\s*(:?)-+(:?)\s*$/.exec(column) ?? [];
    if (left === undefined) return null;
    sides.push(left ? (right ? 'center' : 'left') : right ? 'right' : '');
  }
  return sides;
}

const isIndented = (state: StateBlock, line: number) => {
  const indent = (state.sCount[line] ?? 0) - state.blkIndent;
  return indent < 0 || indent >= 4;
};

function pushRow(
  state: StateBlock,
  tag: 'th' | 'td',
  cells: readonly string[],
  sides: readonly Side[],
): void {
  state.push('tr_open', 'tr', 1);
  for (const [index, side] of sides.entries()) {
    state.push(`${tag}_open`, tag, 1).meta = { side };
    const inline = state.push('inline', '', 0);
    inline.content = cells[index] ?? '';
    inline.children = [];
    state.push(`${tag}_close`, tag, -1);
  }
  state.push('tr_close', 'tr', -1);
}

/** Parses a table: a row of headings, a line of dashes, and rows up to a blank line or another block. */
export const table: BlockRule = (state, startLine, endLine, silent) => {
  if (startLine + 2 > endLine || isIndented(state, startLine) || isIndented(state, startLine + 1))
    return false;
  const sides = readAlignments(lineText(state, startLine + 1).trimEnd());
  const heading = lineText(state, startLine).trim();
  if (!sides || !heading.includes('|')) return false;
  const headings = cellsOf(heading);
  if (headings.length !== sides.length) return false;
  if (silent) return true;

  state.push('table_open', 'table', 1);
  state.push('thead_open', 'thead', 1);
  pushRow(state, 'th', headings, sides);
  state.push('thead_close', 'thead', -1);
  const terminators = state.md.block.ruler.getRules('blockquote');
  const first = startLine + 2;
  let added = 0;
  let line = first;
  for (; line < endLine && !state.isEmpty(line) && !isIndented(state, line); line += 1) {
    if (terminators.some((rule) => rule(state, line, endLine, true))) break;
    const cells = cellsOf(lineText(state, line).trim());
    added += Math.max(sides.length - cells.length, 0);
    if (added > addedCellsMax) break;
    if (line === first) state.push('tbody_open', 'tbody', 1);
    pushRow(state, 'td', cells, sides);
  }
  if (line > first) state.push('tbody_close', 'tbody', -1);
  state.push('table_close', 'table', -1);
  state.line = line;
  return true;
};

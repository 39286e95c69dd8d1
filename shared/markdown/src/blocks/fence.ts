import type { StateBlock } from 'markdown-it';

import { optionsOf } from '../line.ts';
import { type BlockRule, lineText, pushInline } from './lines.ts';

interface Opening {
  fence: string;
  language: string;
  header: string;
}

const opening = /^(`{3,}|~{3,})[ \t]*(?:\{?\.?([\w+\-./#]+)\}?)?(?:[ \t]+(.*))?$/;

function readOpening(text: string): Opening | null {
  const [, fence, language = '', header = ''] = opening.exec(text.trimEnd()) ?? [];
  // Backticks after the opening make it a code span within a line.
  if (fence === undefined || header.includes(fence[0] ?? '')) return null;
  return { fence, language, header };
}

const mayBeFence = (state: StateBlock, line: number) => {
  const first = state.src[(state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)];
  return (first === '`' || first === '~') && (state.sCount[line] ?? 0) - state.blkIndent < 4;
};

/** Whether the content of a fence is parsed as blocks, so that fences can be nested in it. */
const holdsBlocks = (language: string) => ['quote', 'quoted', 'spoiler'].includes(language.toLowerCase());

/** The line that closes a fence, or the line where the block around it ends. */
function findClosing(
  state: StateBlock,
  first: Opening,
  startLine: number,
  endLine: number,
  fallback: string,
): number {
  const open = [{ fence: first.fence, isCode: !holdsBlocks(first.language || fallback) }];
  let line = startLine + 1;
  for (; line < endLine; line += 1) {
    if (!state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent) break;
    if (!mayBeFence(state, line)) continue;
    const text = lineText(state, line).trimEnd();
    const innermost = open.at(-1);
    if (text === innermost?.fence) {
      open.pop();
      if (open.length === 0) break;
    } else if (innermost && !innermost.isCode) {
      const inner = readOpening(text);
      if (inner) open.push({ fence: inner.fence, isCode: !holdsBlocks(inner.language || fallback) });
    }
  }
  return line;
}

/** Parses a fence: code, a formula, a quote or a spoiler between two lines of backticks or tildes. */
export const fence: BlockRule = (state, startLine, endLine, silent) => {
  if (!mayBeFence(state, startLine)) return false;
  const opened = readOpening(lineText(state, startLine));
  if (!opened) return false;
  if (silent) return true;
  const fallback = optionsOf(state.env).defaultCodeLanguage ?? '';
  const closing = findClosing(state, opened, startLine, endLine, fallback);
  const isClosed = closing < endLine && lineText(state, closing).trimEnd() === opened.fence;
  // An unclosed fence with nothing after it is text, so that no text vanishes.
  if (!isClosed && closing === startLine + 1) return false;
  const language = opened.language || fallback;
  const kind = language.toLowerCase();
  if (kind === 'quote' || kind === 'quoted') {
    state.push('blockquote_open', 'blockquote', 1);
    readInside(state, startLine + 1, closing);
    state.push('blockquote_close', 'blockquote', -1);
  } else if (kind === 'spoiler') {
    state.push('spoiler_open', 'div', 1);
    if (opened.header.trim() !== '') pushInline(state, opened.header.trim());
    state.push('spoiler_body', 'div', 0);
    readInside(state, startLine + 1, closing);
    state.push('spoiler_close', 'div', -1);
  } else {
    const token = state.push(kind === 'math' ? 'math_block' : 'code_block', 'code', 0);
    const indent = state.sCount[isClosed ? closing : startLine] ?? 0;
    token.content = `${state.getLines(startLine + 1, closing, Math.max(indent, 0), false)}\n`;
    token.info = language;
  }
  state.line = closing + (isClosed ? 1 : 0);
  return true;
};

function readInside(state: StateBlock, startLine: number, endLine: number): void {
  const { lineMax, parentType } = state;
  state.lineMax = endLine;
  state.parentType = 'blockquote';
  state.md.block.tokenize(state, startLine, endLine);
  state.lineMax = lineMax;
  state.parentType = parentType;
}

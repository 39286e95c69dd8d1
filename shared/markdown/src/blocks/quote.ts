import type { StateBlock } from 'markdown-it';

import { type BlockRule, lineText, pushParagraph } from './lines.ts';

interface Quoted {
  /** The lines of the quote without their markers. */
  lines: string[];
  /** Lines that continue the paragraph above them, by their index. Below anything else they are not quoted. */
  lazy: number[];
  /** Whether there are only markers. */
  isBare: boolean;
}

/** The lines from one that is marked as quoted to the next blank line or block of another kind. */
function readQuoted(state: StateBlock, startLine: number, endLine: number): Quoted {
  const terminators = state.md.block.ruler.getRules('blockquote');
  const quoted: Quoted = { lines: [], lazy: [], isBare: true };
  for (let line = startLine; line < endLine && !state.isEmpty(line); line += 1) {
    const text = lineText(state, line);
    if (text.startsWith('>') && (state.sCount[line] ?? 0) >= state.blkIndent) {
      quoted.isBare &&= /^>[ \t]*$/.test(text);
      quoted.lines.push(text.slice(1).replace(/^ /, '').replace(/^\t/, '  '));
    } else {
      if (terminators.some((rule) => rule(state, line, endLine, true))) break;
      quoted.isBare = false;
      if (quoted.lines.at(-1)?.trim() !== '') quoted.lazy.push(quoted.lines.length);
      quoted.lines.push(text);
    }
  }
  return quoted;
}

/** Parses a quote: lines that start with `>`, and text right below them. Markers without content are text. */
export const quote: BlockRule = (state, startLine, endLine, silent) => {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  if (!lineText(state, startLine).startsWith('>')) return false;
  if (silent) return true;
  const { lines, lazy, isBare } = readQuoted(state, startLine, endLine);
  if (isBare) {
    pushParagraph(state, startLine, startLine + lines.length);
    return true;
  }
  state.push('blockquote_open', 'blockquote', 1);
  const inside = new state.md.block.State(lines.join('\n'), state.md, state.env, state.tokens);
  inside.level = state.level;
  inside.parentType = 'blockquote';
  // With a negative indentation a line continues a paragraph, and ends anything else.
  for (const line of lazy) inside.sCount[line] = -1;
  state.md.block.tokenize(inside, 0, lines.length);
  state.push('blockquote_close', 'blockquote', -1);
  state.line = startLine + Math.min(inside.line, lines.length);
  return true;
};

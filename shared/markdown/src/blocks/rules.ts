import type { MarkdownIt, StateBlock } from 'markdown-it';

import { fence } from './fence.ts';
import { type BlockRule, lineText, pushInline } from './lines.ts';
import { list } from './list.ts';

/** How deep blocks may be nested. Deeper blocks are plain text. */
const depthMax = 30;

/** Makes a paragraph of lines as they stand. */
function pushParagraph(state: StateBlock, startLine: number, endLine: number): void {
  const lines = Array.from({ length: endLine - startLine }, (_, index) => lineText(state, startLine + index));
  pushInline(state, lines.join('\n').trim());
  state.line = endLine;
}

const tooDeep: BlockRule = (state, startLine, endLine) => {
  if (state.level < depthMax) return false;
  let end = startLine + 1;
  while (end < endLine && !state.isEmpty(end) && (state.sCount[end] ?? 0) >= state.blkIndent) end += 1;
  pushParagraph(state, startLine, end);
  return true;
};

/** Quote markers without content are text. */
const emptyQuote: BlockRule = (state, startLine, endLine) => {
  let end = startLine;
  for (; end < endLine && (state.sCount[end] ?? 0) >= state.blkIndent; end += 1) {
    const text = lineText(state, end);
    if (!text.startsWith('>')) break;
    if (!/^[> ]*$/.test(text)) return false;
  }
  if (end === startLine) return false;
  pushParagraph(state, startLine, end);
  return true;
};

/** Heading markers without content are text. */
const emptyHeading: BlockRule = (state, startLine) => {
  if (!/^#{1,6}\s*$/.test(lineText(state, startLine))) return false;
  pushParagraph(state, startLine, startLine + 1);
  return true;
};

/** A horizontal rule stands by itself: if text follows on the next line, its characters are text. */
const horizontalRule: BlockRule = (state, startLine, endLine) => {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  if (!/^([-*_])(?:[ \t]*\1){2,}[ \t]*$/.test(lineText(state, startLine))) return false;
  const next = startLine + 1;
  if (next < endLine && !state.isEmpty(next) && (state.sCount[next] ?? 0) >= state.blkIndent) return false;
  state.push('hr', 'hr', 0);
  state.line = next;
  return true;
};

/** Enables the rules of markdown-it that the dialect shares, and adds its own rules. */
export function addBlockRules(md: MarkdownIt): void {
  const { ruler } = md.block;
  ruler.enableOnly(['table', 'code', 'fence', 'blockquote', 'hr', 'list', 'heading', 'paragraph']);
  ruler.at('fence', fence, { alt: ['paragraph', 'blockquote', 'list'] });
  ruler.at('hr', horizontalRule);
  ruler.at('list', list, { alt: ['paragraph', 'blockquote'] });
  ruler.before('table', 'too_deep', tooDeep);
  ruler.before('blockquote', 'empty_quote', emptyQuote);
  ruler.before('heading', 'empty_heading', emptyHeading);
}

import type { MarkdownIt } from 'markdown-it';

import { fence } from './fence.ts';
import { type BlockRule, lineText, pushParagraph } from './lines.ts';
import { list } from './list.ts';
import { quote } from './quote.ts';
import { table } from './table.ts';

/** How deep blocks may be nested. Deeper blocks are plain text. */
const depthMax = 30;

const tooDeep: BlockRule = (state, startLine, endLine) => {
  if (state.level < depthMax) return false;
  let end = startLine + 1;
  while (end < endLine && !state.isEmpty(end) && (state.sCount[end] ?? 0) >= state.blkIndent) end += 1;
  pushParagraph(state, startLine, end);
  return true;
};

/** Heading markers without content are text. */
const emptyHeading: BlockRule = (state, startLine) => {
  if (!/^#{1,6}\s*$/.test(lineText(state, startLine))) return false;
  pushParagraph(state, startLine, startLine + 1);
  return true;
};

/** Enables the rules of markdown-it that the dialect shares, and adds its own rules. */
export function addBlockRules(md: MarkdownIt): void {
  const { ruler } = md.block;
  ruler.enableOnly(['table', 'code', 'fence', 'blockquote', 'hr', 'list', 'heading', 'paragraph']);
  ruler.at('table', table, { alt: ['paragraph'] });
  ruler.at('fence', fence, { alt: ['paragraph', 'blockquote', 'list'] });
  ruler.at('blockquote', quote, { alt: ['paragraph', 'blockquote', 'list'] });
  ruler.at('list', list, { alt: ['paragraph', 'blockquote'] });
  ruler.before('table', 'too_deep', tooDeep);
  ruler.before('heading', 'empty_heading', emptyHeading);
}

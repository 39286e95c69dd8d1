import type { MarkdownIt } from 'markdown-it';
import Parser from 'markdown-it';

import { addBlockRules } from './blocks/rules.ts';
import { emphasise } from './inline/emphasis.ts';
import { addInlineRules } from './inline/rules.ts';
import { Line } from './line.ts';

/**
 * The parser of Parley's Markdown dialect. What depends on the organization and the author is in the parser's
 * environment, so one parser serves all.
 */
export const dialect: MarkdownIt = makeDialect();

function makeDialect(): MarkdownIt {
  // markdown-it drops blocks that are nested deeper. The dialect's own limit is lower and keeps their text.
  const md = new Parser('zero', { maxNesting: 100 });
  md.core.ruler.enableOnly(['normalize', 'block', 'inline']);
  addBlockRules(md);
  md.inline.ruler.enableOnly(['text', 'newline', 'entity']);
  addInlineRules(md);
  md.inline.ruler2.enableOnly([]);
  md.inline.ruler2.push('emphasise', emphasise);
  md.inline.State = Line;
  return md;
}

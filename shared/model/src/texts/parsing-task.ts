import { type Parsed, parse } from '@parley/markdown';

import type { TextOptions } from './options.ts';
import { parserOptions } from './parser-options.ts';

/** A text to be parsed on a thread of its own. */
export interface ParsingTask {
  content: string;
  options: TextOptions;
  writtenAt: Date;
}

/** Parses a text in a thread. It has a heap of its own: every module that it loads is loaded once more. */
export const run = ({ content, options, writtenAt }: ParsingTask): Parsed =>
  parse(content, parserOptions(options, writtenAt));

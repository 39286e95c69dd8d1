import { lowerThreadPriority } from '@parley/kit';
import { type Parsed, parse } from '@parley/markdown';

import type { TextOptions } from './options.ts';
import { parserOptions } from './parser-options.ts';

/** A text to be parsed on a thread of its own. */
export interface ParsingTask {
  content: string;
  options: TextOptions;
  writtenAt: Date;
}

lowerThreadPriority();

/** What a parsing thread does with a task. */
export const run = ({ content, options, writtenAt }: ParsingTask): Parsed =>
  parse(content, parserOptions(options, writtenAt));

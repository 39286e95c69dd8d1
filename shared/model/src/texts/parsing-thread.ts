import { constants, setPriority } from 'node:os';

import type { Parsed } from '@parley/markdown';

import type { TextOptions } from './options.ts';

/** A text to be parsed on a thread of its own. */
export interface ParsingTask {
  content: string;
  options: TextOptions;
  writtenAt: Date;
}

// It runs after the others where processors are scarce. Linux alone has priorities of threads.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);

// To load these takes 60 to 90 ms of a processor, so that it has to be done with that priority too.
const [{ parse }, { parserOptions }] = await Promise.all([
  import('@parley/markdown'),
  import('./parser-options.ts'),
]);

/** What a parsing thread does with a task. It has a heap of its own: every module that it loads is loaded once more. */
export const run = ({ content, options, writtenAt }: ParsingTask): Parsed =>
  parse(content, parserOptions(options, writtenAt));

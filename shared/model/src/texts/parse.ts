import { createRequire } from 'node:module';

import { type Parsed, isQuickToParse, parse, quickLinkifierSteps } from '@parley/markdown';
import { ApiError } from '@parley/protocol';

import type { TextOptions } from './options.ts';
import { parserOptions } from './parser-options.ts';
import type { ParsingTask } from './parsing-task.ts';
import { type Threads, createThreads } from './threads.ts';

/** How much HTML a text has without ado, and how fast the rest of it: whoever receives the text is sent all of it. */
const usualHtmlLength = 64 * 1024;
const htmlLengthPerMs = 16;

let threads: Threads<ParsingTask, Parsed> | undefined;

const getThreads = () =>
  (threads ??= createThreads({
    filename: createRequire(import.meta.url).resolve('@parley/model/parsing-task'),
    threadsMax: 2,
    deadlineMs: 5000,
    waitMsMax: 90_000,
    chargeMsOf: ({ htmlLength }) => (htmlLength - usualHtmlLength) / htmlLengthPerMs,
  }));

export const unrenderable = () =>
  new ApiError('BAD_REQUEST', 'This message cannot be displayed. Try a simpler text.');

/**
 * Parses a text. One that may take longer than a few milliseconds is parsed on another thread, which is ended after five
 * seconds of processor time, so no text holds up the event loop.
 *
 * @throws BAD_REQUEST for a text that cannot be rendered, or takes too long
 * @throws SERVER_NOT_READY when too many such texts wait
 */
export async function parseText(
  content: string,
  options: TextOptions,
  writtenAt = new Date(),
): Promise<Parsed> {
  const task = { content, options, writtenAt };
  return parseQuickly(task) ?? (await parseOnThread(task));
}

/** Parses a text at once. Null if parsing takes too long, or may do so. */
export function parseQuickly({ content, options, writtenAt }: ParsingTask): Parsed | null {
  if (!isQuickToParse(content, options.defaultCodeLanguage)) return null;
  const budget = { steps: quickLinkifierSteps };
  try {
    const parsed = parse(content, parserOptions(options, writtenAt), budget);
    return budget.steps < 0 ? null : parsed;
  } catch {
    throw unrenderable();
  }
}

/** Parses a text on another thread, when it is its author's turn. */
export async function parseOnThread(task: ParsingTask): Promise<Parsed> {
  try {
    return await getThreads().run(task.options.authorId, task);
  } catch (error) {
    throw error instanceof ApiError ? error : unrenderable();
  }
}

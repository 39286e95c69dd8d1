import { proposeCompletions } from '@stricli/core';

import { createApp } from './app.ts';
import type { Context } from './context.ts';

/** Returns what the last of the words of a command line may become. */
export async function listCompletions(context: Context, words: readonly string[]): Promise<string[]> {
  const proposed = await proposeCompletions(createApp(false), words, context);
  return proposed.map(({ completion }) => completion);
}

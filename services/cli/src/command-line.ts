import { run } from '@stricli/core';

import { createApp } from './app.ts';
import type { CommandProcess } from './command-process.ts';
import { completeWord } from './completion-script.ts';
import { listCompletions } from './completions.ts';
import { createContext } from './context.ts';
import type { Environment } from './environment.ts';
import { exitCodeOf } from './exit-code.ts';

/** Runs the command that the words name, and sets the exit code of `process`. */
export async function runCommandLine(
  argv: readonly string[],
  process: CommandProcess,
  env: Environment,
): Promise<void> {
  const isJson = argv.includes('--json');
  const context = createContext(process, env, isJson);
  if (argv[0] === completeWord) {
    const completions = await listCompletions(context, argv.slice(1));
    process.stdout.write(completions.map((completion) => `${completion}\n`).join(''));
    return;
  }
  await run(createApp(isJson), argv, context);
  process.exitCode = exitCodeOf(Number(process.exitCode ?? 0));
}

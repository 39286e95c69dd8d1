import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { run } from '@stricli/core';

import { createApp } from './app.ts';
import { completeWord } from './completion-script.ts';
import { listCompletions } from './completions.ts';
import { createContext } from './context.ts';
import { exitCodeOf } from './exit-code.ts';

// Beside a running `npm start`, its nodes' environment is ours, except for what is set here already.
const running = join(resolve(process.env['PARLEY_DIR'] || '.parley'), 'env');
if (!process.env['DATABASE_URL'] && existsSync(running)) process.loadEnvFile(running);

const argv = process.argv.slice(2);
const isJson = argv.includes('--json');
const context = createContext(process, process.env, isJson);
if (argv[0] === completeWord) {
  const completions = await listCompletions(context, argv.slice(1));
  process.stdout.write(completions.map((completion) => `${completion}\n`).join(''));
} else {
  await run(createApp(isJson), argv, context);
  process.exitCode = exitCodeOf(Number(process.exitCode ?? 0));
}

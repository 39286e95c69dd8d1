import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { runCommandLine } from './command-line.ts';

// Beside a running `npm start`, its nodes' environment is ours, except for what is set here already.
const running = join(resolve(process.env['PARLEY_DIR'] || '.parley'), 'env');
if (!process.env['DATABASE_URL'] && existsSync(running)) process.loadEnvFile(running);

await runCommandLine(process.argv.slice(2), process, process.env);

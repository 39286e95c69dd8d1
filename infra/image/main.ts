import { resolve } from 'node:path';

import { bundleServices } from '../bundle/bundle-services.ts';
import { repoRoot } from '../dev/machine/paths.ts';
import { sayOnStdout } from '../dev/machine/say.ts';
import { buildClient } from '../web/build-client.ts';
import { stage } from './stage.ts';

const folder = resolve(process.argv[2] ?? '.parley/image');
const root = repoRoot();
await buildClient({ root, say: sayOnStdout });
await bundleServices({ root, say: sayOnStdout });
await stage(root, folder);
process.stdout.write(`What the image holds is in ${folder}. Run a role: node ${folder}/start.js api\n`);

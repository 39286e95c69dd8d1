import { sayOnStdout } from '../dev/machine/say.ts';
import { buildClient } from './build-client.ts';

await buildClient(sayOnStdout);

import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';

/** Creates the folder of a cluster if it is not there. Throws unless this process can write there. */
export async function provideFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
}

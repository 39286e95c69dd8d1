import { chmod, rm } from 'node:fs/promises';

import { makeTiedFolder } from './tied-folder.ts';

export interface TemporaryFolder extends AsyncDisposable {
  path: string;
}

/** A folder that every user may enter. It is deleted when it is disposed of. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await makeTiedFolder('parley-test-');
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

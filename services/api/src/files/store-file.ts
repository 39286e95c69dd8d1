import * as actions from '@parley/actions';
import type { FileStore } from '@parley/files';

import type { RequestContext } from '../request-context.ts';

/** How long a folder may be without a row while it is being filled. */
const fillingMs = 86_400_000;

/**
 * Fills a folder of the store and records it, in an order that leaves nothing behind: the folder is known to be loose
 * before it is filled, until `record` has committed the row that refers to it.
 */
export async function storeFile<Result>(
  {
    writeWithoutLog,
    clock,
    files: { store },
  }: Pick<RequestContext<unknown, unknown>, 'writeWithoutLog' | 'clock' | 'files'>,
  folder: string,
  fill: (store: FileStore) => Promise<void>,
  record: () => Promise<Result>,
): Promise<Result> {
  const removeAfter = new Date(clock.nowMs() + fillingMs);
  await writeWithoutLog(async (tx) => {
    await actions.files.scheduleDeletion(tx, folder, removeAfter);
    return {};
  });
  try {
    await fill(store);
    return await record();
  } catch (error) {
    // What stays is removed when its time is up.
    await store.remove(folder).catch(() => undefined);
    throw error;
  }
}

import * as actions from '@parley/actions';
import type { FileStore } from '@parley/files';

import type { RequestContext } from '../endpoint/context.ts';

/** A folder that is being filled may exist so long without a row that refers to it. */
const fillingMs = 86_400_000;

/**
 * Fills a folder of the store and records it, in an order that leaves no orphaned files: the folder is scheduled for
 * deletion before it is filled, and `record` commits a row that refers to it and so cancels the deletion.
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
  await writeWithoutLog(actions.files.scheduleDeletion, { folder, removeAfter });
  try {
    await fill(store);
    return await record();
  } catch (error) {
    // Whatever stays here is removed by the scheduled deletion.
    await store.remove(folder).catch(() => undefined);
    throw error;
  }
}

import type { Draft } from '@parley/protocol';

import type { Connection } from '../connection/connect.ts';

/** A draft as it is sent to the server. `to` is the channel's id, or the ids of the other users. */
export type DraftContent = Omit<Draft, 'id'>;

/** Keeps a draft at the server; answers with its id there. */
export async function createDraft(connection: Connection, draft: DraftContent): Promise<number> {
  const { ids } = await connection.post<{ ids: number[] }>('/drafts', { drafts: [draft] });
  return ids[0] ?? 0;
}

/** @throws RequestFailed with status 404 for a draft that is gone */
export async function updateDraft(connection: Connection, id: number, draft: DraftContent): Promise<void> {
  await connection.patch(`/drafts/${id}`, { draft });
}

export async function deleteDraft(connection: Connection, id: number): Promise<void> {
  await connection.delete(`/drafts/${id}`);
}

import { type DraftRow, type Tx, tables } from '@parley/db';
import { type Draft, type DraftType, ApiError, type UserSettings } from '@parley/protocol';
import { asc } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isOfUser } from '../ids.ts';
import { toSeconds } from '../time.ts';

/** @throws BAD_REQUEST for a user whose clients keep their drafts to themselves */
export function assertSynchronizesDrafts(settings: UserSettings): void {
  if (!settings.enable_drafts_synchronization) {
    throw new ApiError('BAD_REQUEST', 'You have turned off the synchronization of drafts.');
  }
}

export const presentDraft = ({ id, type, recipients, topic, content, editedAt }: DraftRow): Draft => ({
  id,
  // Safe: only these types are stored.
  type: type as DraftType,
  to: recipients,
  topic,
  content,
  timestamp: toSeconds(editedAt),
});

/**
 * Returns the actor's drafts, in the order in which they were last edited.
 *
 * @throws BAD_REQUEST for a user whose clients keep their drafts to themselves
 */
export async function listDrafts(tx: Tx, actor: Actor): Promise<Draft[]> {
  assertSynchronizesDrafts(actor.settings);
  const { drafts } = tables;
  const rows = await tx
    .select()
    .from(drafts)
    .where(isOfUser(drafts, actor))
    .orderBy(asc(drafts.editedAt), asc(drafts.id));
  return rows.map(presentDraft);
}

/** Returns `drafts` of POST /register: the newest first; none where the user's clients keep them to themselves. */
export const draftsState = async (tx: Tx, actor: Actor): Promise<Draft[]> =>
  actor.settings.enable_drafts_synchronization ? (await listDrafts(tx, actor)).toReversed() : [];

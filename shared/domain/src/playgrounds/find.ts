import { type Tx, tables } from '@parley/db';
import { asc, eq } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { lockName } from '../lock.ts';

const { playgrounds } = tables;

export type PlaygroundRow = typeof playgrounds.$inferSelect;

/** All of a realm's playgrounds, the oldest first. */
export const listPlaygrounds = (tx: Tx, realmId: number): Promise<PlaygroundRow[]> =>
  tx.select().from(playgrounds).where(eq(playgrounds.realmId, realmId)).orderBy(asc(playgrounds.id));

/** For whoever changes which there are: nobody else does meanwhile. */
export async function lockPlaygrounds(tx: Tx, { realm }: Actor): Promise<PlaygroundRow[]> {
  await lockName(tx, 'list', realm.id, 'playgrounds');
  return await listPlaygrounds(tx, realm.id);
}

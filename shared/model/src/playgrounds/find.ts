import { type PlaygroundRow, tables, type Tx } from '@parley/db';
import { eq, asc } from 'drizzle-orm';

const { playgrounds } = tables;

/** Returns all playgrounds of a realm, oldest first. */
export const listPlaygrounds = (tx: Tx, realmId: number): Promise<PlaygroundRow[]> =>
  tx.select().from(playgrounds).where(eq(playgrounds.realmId, realmId)).orderBy(asc(playgrounds.id));

import { type Tx, tables } from '@parley/db';
import { type Linkifiers, compileLinkifiers, noLinkifiers } from '@parley/markdown';
import { ApiError } from '@parley/protocol';
import { asc, eq } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';

import type { Actor } from '../actor.ts';
import { lockName } from '../lock.ts';

const { linkifiers } = tables;

export type LinkifierRow = typeof linkifiers.$inferSelect;

/** All of a realm's linkifiers in their order. */
export const listLinkifiers = (tx: Tx, realmId: number): Promise<LinkifierRow[]> =>
  tx
    .select()
    .from(linkifiers)
    .where(eq(linkifiers.realmId, realmId))
    .orderBy(asc(linkifiers.position), asc(linkifiers.id));

/** For whoever changes which there are: nobody else does meanwhile. */
export async function lockLinkifiers(tx: Tx, { realm }: Actor): Promise<LinkifierRow[]> {
  await lockName(tx, 'list', realm.id, 'linkifiers');
  return await listLinkifiers(tx, realm.id);
}

export function getLinkifier(rows: LinkifierRow[], id: number): LinkifierRow {
  const row = rows.find((one) => one.id === id);
  if (!row) throw new ApiError('BAD_REQUEST', 'Linkifier not found.');
  return row;
}

/** Compiled lists by what they say: compiling takes longer than reading a list. */
const compiled = new LRUCache<string, Linkifiers>({ max: 100 });

/** A realm's linkifiers, ready to be used on texts. */
export async function getLinkifiers(tx: Tx, realmId: number): Promise<Linkifiers> {
  const rows = await listLinkifiers(tx, realmId);
  if (rows.length === 0) return noLinkifiers;
  const key = JSON.stringify(rows.map(({ pattern, urlTemplate }) => [pattern, urlTemplate]));
  const known = compiled.get(key) ?? compileLinkifiers(rows);
  compiled.set(key, known);
  return known;
}

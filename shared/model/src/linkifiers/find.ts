import { type LinkifierRow, tables, type Tx } from '@parley/db';
import { type Linkifiers, noLinkifiers, compileLinkifiers } from '@parley/markdown';
import { ApiError } from '@parley/protocol';
import { eq, asc } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';

const { linkifiers } = tables;

/** All of a realm's linkifiers in their order. */
export const listLinkifiers = (tx: Tx, realmId: number): Promise<LinkifierRow[]> =>
  tx
    .select()
    .from(linkifiers)
    .where(eq(linkifiers.realmId, realmId))
    .orderBy(asc(linkifiers.position), asc(linkifiers.id));

export function getLinkifier(rows: LinkifierRow[], id: number): LinkifierRow {
  const row = rows.find((one) => one.id === id);
  if (!row) throw new ApiError('BAD_REQUEST', 'Linkifier not found.');
  return row;
}

/** Compiled lists by what they say: compiling takes longer than reading a list. */
const compiled = new LRUCache<string, Linkifiers>({ max: 100 });

/** A realm's linkifiers, ready to be used on texts. */
export async function getCompiledLinkifiers(tx: Tx, realmId: number): Promise<Linkifiers> {
  const rows = await listLinkifiers(tx, realmId);
  if (rows.length === 0) return noLinkifiers;
  const key = JSON.stringify(rows.map(({ pattern, urlTemplate }) => [pattern, urlTemplate]));
  const known = compiled.get(key) ?? compileLinkifiers(rows);
  compiled.set(key, known);
  return known;
}

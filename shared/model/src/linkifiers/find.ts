import { type LinkifierRow, tables, type Tx } from '@parley/db';
import { BoundedCache } from '@parley/kit';
import { type Linkifiers, noLinkifiers, compileLinkifiers } from '@parley/markdown';
import { ApiError } from '@parley/protocol';
import { eq, asc } from 'drizzle-orm';

const { linkifiers } = tables;

/** Returns all linkifiers of a realm, in the order that administrators gave them. */
export const listLinkifiers = (tx: Tx, realmId: number): Promise<LinkifierRow[]> =>
  tx
    .select()
    .from(linkifiers)
    .where(eq(linkifiers.realmId, realmId))
    .orderBy(asc(linkifiers.position), asc(linkifiers.id));

/** @throws BAD_REQUEST if there is none with this id */
export function getLinkifier(rows: LinkifierRow[], linkifierId: number): LinkifierRow {
  const row = rows.find(({ id }) => id === linkifierId);
  if (!row) throw new ApiError('BAD_REQUEST', 'This linkifier does not exist.');
  return row;
}

/** Compiled lists by their content. Compiling a list takes longer than reading it. */
const compiled = new BoundedCache<string, Linkifiers>('linkifiers', { bytesOf: ({ bytes }) => bytes });

/** Returns a realm's linkifiers in the compiled form that rendering takes. */
export async function getCompiledLinkifiers(tx: Tx, realmId: number): Promise<Linkifiers> {
  const rows = await listLinkifiers(tx, realmId);
  if (rows.length === 0) return noLinkifiers;
  const key = JSON.stringify(rows.map(({ pattern, urlTemplate }) => [pattern, urlTemplate]));
  const compiledList = compiled.get(key) ?? compileLinkifiers(rows);
  compiled.set(key, compiledList);
  return compiledList;
}

import type { Sql } from '@parley/db';

import type { Manifest } from '../manifest.ts';
import type { Scope } from '../tables/table.ts';

/** The types of exports by the numbers that rows have. */
const types: Readonly<Record<number, Manifest['type']>> = { 1: 'public', 2: 'standard', 3: 'everything' };

export function exportType(number: number): Manifest['type'] {
  const type = types[number];
  if (!type) throw new Error(`There are no exports of type ${number}.`);
  return type;
}

/** Returns what an export of this type may contain, as people consent now. */
export async function readScope(sql: Sql, realmId: number, type: Manifest['type']): Promise<Scope> {
  if (type === 'everything') return { realmId, consenting: null, isPublic: false };
  const isPublic = type === 'public';
  const rows = isPublic
    ? []
    : await sql<{ id: number }[]>`
        select id from users
        where realm_id = ${realmId} and bot_type is null
          and coalesce((settings ->> 'allow_private_data_export')::boolean, false)`;
  return { realmId, consenting: rows.map(({ id }) => id), isPublic };
}

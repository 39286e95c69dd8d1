import { type Tx, decodeMembers } from '@parley/db';
import type { Audience } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import type { Person } from '../../support/index.ts';

/** Whom an audience reaches of some people, as a queue node decides it. */
export async function reached(
  tx: Tx,
  audience: Audience | null,
  people: readonly Person[],
): Promise<string[]> {
  if (!audience) return [];
  const { users, conversations, except = [] } = audience;
  const rows = await tx.execute<{ members: Uint8Array }>(sql`
    select a.members from conversation_heads h join audiences a on a.id = h.audience_id
    where h.conversation_id = any(${`{${(conversations ?? []).join(',')}}`}::bigint[])`);
  const named = new Set([...(users ?? []), ...rows.flatMap(({ members }) => [...decodeMembers(members)])]);
  const isForAll = !users && !conversations;
  return people
    .filter(({ id }) => (isForAll || named.has(id)) && !except.includes(id))
    .map(({ name }) => name)
    .sort();
}

export const namesOf = (people: readonly Person[]): string[] => people.map(({ name }) => name).sort();

import type { Sql } from '@parley/db';

/** The digests of API keys that the secrets of a deployment make. */
export interface KeyDigests {
  /** Which secrets they are. */
  readonly secrets: string;
  /** Returns those of the keys that an account has in a generation. */
  of(userId: number, generation: number): string[];
}

/** So many accounts of each kind are filled in one transaction. */
export const unfilledAtOnce = 200;

/**
 * Writes the digests of API keys where they are not known: of accounts that are new, of those whose keys were replaced, and
 * of all when the secrets are others. Returns of how many; 0 when all are known. Doing it twice at once is safe.
 */
export async function fillKeyDigests(sql: Sql, digests: KeyDigests, realmId?: number): Promise<number> {
  return await sql.begin(async (tx) => {
    const inRealm = realmId === undefined ? tx`` : tx`and users.realm_id = ${realmId}`;
    const portion = tx`order by realm_id limit ${unfilledAtOnce} for no key update skip locked`;
    // Each condition has an index.
    const accounts = await tx<{ realmId: number; id: number; generation: number }[]>`
      with
        replaced as (
          select realm_id as "realmId", id, key_generation as generation from users
          where key_digests_generation is distinct from key_generation ${inRealm} ${portion}
        ),
        below as (
          select realm_id, id, key_generation from users where key_digests_secrets < ${digests.secrets} ${inRealm} ${portion}
        ),
        above as (
          select realm_id, id, key_generation from users where key_digests_secrets > ${digests.secrets} ${inRealm} ${portion}
        )
      table replaced union table below union table above`;
    if (accounts.length === 0) return 0;
    const filled = accounts.map(({ realmId: realm_id, id, generation }) => ({
      realm_id,
      id,
      digests: digests.of(id, generation),
    }));
    await tx`
      update users set
        key_digests = filled.digests, key_digests_generation = key_generation,
        key_digests_secrets = ${digests.secrets}
      from jsonb_to_recordset(${tx.json(filled)}) as filled (realm_id int, id int, digests text[])
      where users.realm_id = filled.realm_id and users.id = filled.id ${inRealm}`;
    return accounts.length;
  });
}

/**
 * Does the same with all accounts that a server has, in so many transactions at most. One of several servers, which holds
 * some realms, is asked about one after the other of those that lack any. Returns of how many accounts.
 */
export async function fillAllKeyDigests(
  sql: Sql,
  digests: KeyDigests,
  { realmIds, timesMax = Infinity }: { realmIds: readonly number[] | null; timesMax?: number },
): Promise<number> {
  let filled = 0;
  let times = 0;
  for (const realmId of realmIds ? await listUnfilledRealms(sql, digests, realmIds) : [undefined]) {
    for (let count = 1; count > 0 && times < timesMax; times += 1) {
      count = await fillKeyDigests(sql, digests, realmId);
      filled += count;
    }
  }
  return filled;
}

async function listUnfilledRealms(
  sql: Sql,
  { secrets }: KeyDigests,
  realmIds: readonly number[],
): Promise<number[]> {
  const rows = await sql<{ realm_id: number }[]>`
    select distinct realm_id from users
    where realm_id = any(${[...realmIds]}) and (key_digests_generation is distinct from key_generation
      or key_digests_secrets < ${secrets} or key_digests_secrets > ${secrets})`;
  return rows.map(({ realm_id }) => realm_id);
}

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
    const inRealm = realmId === undefined ? tx`` : tx`and realm_id = ${realmId}`;
    const portion = tx`order by realm_id limit ${unfilledAtOnce} for no key update skip locked`;
    // Each condition has an index.
    const accounts = await tx<{ id: number; generation: number }[]>`
      with
        replaced as (
          select id, key_generation as generation from users
          where key_digests_generation is distinct from key_generation ${inRealm} ${portion}
        ),
        below as (
          select id, key_generation from users where key_digests_secrets < ${digests.secrets} ${inRealm} ${portion}
        ),
        above as (
          select id, key_generation from users where key_digests_secrets > ${digests.secrets} ${inRealm} ${portion}
        )
      table replaced union table below union table above`;
    if (accounts.length === 0) return 0;
    const filled = accounts.map(({ id, generation }) => ({ id, digests: digests.of(id, generation) }));
    await tx`
      update users set
        key_digests = filled.digests, key_digests_generation = key_generation,
        key_digests_secrets = ${digests.secrets}
      from jsonb_to_recordset(${tx.json(filled)}) as filled (id int, digests text[])
      where users.id = filled.id`;
    return accounts.length;
  });
}

import type { Sql } from '@parley/db';

/** Returns the digest of the API key that an account has in a generation. */
export type KeyDigestOf = (userId: number, generation: number) => string;

/** So many accounts are filled in one transaction. */
export const unfilledAtOnce = 200;

/**
 * Writes the digests of API keys where they are not known: of accounts that are new, and of those whose key was
 * replaced. Returns of how many; fewer than `unfilledAtOnce` are the last ones. Doing it twice at once is safe.
 */
export async function fillKeyDigests(sql: Sql, digestOf: KeyDigestOf, realmId?: number): Promise<number> {
  return await sql.begin(async (tx) => {
    const accounts = await tx<{ id: number; generation: number }[]>`
      select id, key_generation as generation from users
      where key_digest_generation is distinct from key_generation
        ${realmId === undefined ? tx`` : tx`and realm_id = ${realmId}`}
      order by realm_id limit ${unfilledAtOnce}
      for no key update skip locked`;
    if (accounts.length === 0) return 0;
    await tx`
      update users set key_digest = filled.digest, key_digest_generation = key_generation
      from unnest(
        ${accounts.map(({ id }) => id)}::int[],
        ${accounts.map(({ id, generation }) => digestOf(id, generation))}::text[]
      ) as filled (id, digest)
      where users.id = filled.id`;
    return accounts.length;
  });
}

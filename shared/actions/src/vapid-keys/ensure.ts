import { createECDH } from 'node:crypto';

import { type Tx, tables } from '@parley/db';
import { type Secrets, seal, unseal } from '@parley/kit';
import { and, eq, sql } from 'drizzle-orm';

const { vapidKeys } = tables;

/** By which an organization shows push services of browsers who sends: a pair of keys, in base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** Returns what the keys of an organization are sealed for. */
export const purposeOf = (realmId: number) => `vapid key of realm ${realmId}`;

/**
 * Returns the keys of an organization. They are made if there are none yet, by whoever is first. If nobody can decrypt
 * them any more, because the secret was replaced at once, others take their place, and the browsers that were registered
 * with them are forgotten: their push services would refuse every notification.
 */
export async function ensure(
  tx: Tx,
  { realmId, secrets }: { realmId: number; secrets: Secrets },
): Promise<VapidKeys> {
  const inRealm = eq(vapidKeys.realmId, realmId);
  // Whoever meets others who make keys at the same moment takes theirs.
  for (let round = 0; round < 3; round += 1) {
    const [stored] = await tx.select().from(vapidKeys).where(inRealm);
    const privateKey = stored ? unseal(secrets, purposeOf(realmId), stored.privateKey) : null;
    if (stored && privateKey !== null) return { publicKey: stored.publicKey, privateKey };
    const made = makeKeys();
    const row = { publicKey: made.publicKey, privateKey: seal(secrets, purposeOf(realmId), made.privateKey) };
    if (!stored)
      await tx
        .insert(vapidKeys)
        .values({ realmId, ...row })
        .onConflictDoNothing();
    else {
      await tx.execute(sql`
        with replaced as (
          update vapid_keys set public_key = ${row.publicKey}, private_key = ${row.privateKey}
          where ${and(inRealm, eq(vapidKeys.privateKey, stored.privateKey))} returning realm_id
        )
        delete from push_tokens t using replaced r where t.realm_id = r.realm_id and t.service = 'web'`);
    }
  }
  throw new Error(`The keys of realm ${realmId} change all the time.`);
}

function makeKeys(): VapidKeys {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  // A number that begins with zeros comes without them.
  const privateKey = Buffer.alloc(32);
  const number = pair.getPrivateKey();
  number.copy(privateKey, privateKey.length - number.length);
  return { publicKey, privateKey: privateKey.toString('base64url') };
}

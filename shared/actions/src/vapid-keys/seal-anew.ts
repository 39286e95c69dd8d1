import { type Tx, tables } from '@parley/db';
import { type Secrets, seal, sealedPrefix, unseal } from '@parley/kit';
import { type SweptRealms, isSwept } from '@parley/model';
import { and, asc, eq, gt, sql } from 'drizzle-orm';

import { purposeOf } from './ensure.ts';

const { vapidKeys } = tables;

/** So many keys are read at once. */
const portion = 200;

/**
 * Encrypts with the present secret what is encrypted with another one, as long as that is known; returns how many keys it
 * was. Doing it twice at once is safe.
 */
export async function sealAnew(tx: Tx, secrets: Secrets, realmIds: SweptRealms): Promise<number> {
  const isSealedOtherwise = sql`not starts_with(${vapidKeys.privateKey}, ${sealedPrefix(secrets)})`;
  let sealed = 0;
  for (let after = 0; ;) {
    const stored = await tx
      .select({ realmId: vapidKeys.realmId, privateKey: vapidKeys.privateKey })
      .from(vapidKeys)
      .where(and(gt(vapidKeys.realmId, after), isSealedOtherwise, isSwept(vapidKeys.realmId, realmIds)))
      .orderBy(asc(vapidKeys.realmId))
      .limit(portion);
    for (const { realmId, privateKey } of stored) {
      const opened = unseal(secrets, purposeOf(realmId), privateKey);
      after = realmId;
      if (opened === null) continue;
      await tx
        .update(vapidKeys)
        .set({ privateKey: seal(secrets, purposeOf(realmId), opened) })
        .where(and(eq(vapidKeys.realmId, realmId), eq(vapidKeys.privateKey, privateKey)));
      sealed += 1;
    }
    if (stored.length < portion) return sealed;
  }
}

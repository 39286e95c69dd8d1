import * as actions from '@parley/actions';
import type { Realm } from '@parley/model';

import { getWorld } from './world.ts';

/** Restores everything of a realm that was deleted in the last hour, as the operator. */
export async function restoreDeleted(
  realm: Realm,
): Promise<Pick<actions.messages.Restored, 'restored' | 'tooOld' | 'next'>> {
  const { engine } = await getWorld();
  const since = new Date(Date.now() - 3_600_000);
  return await engine.perform(realm.id, actions.messages.restore, {
    realm,
    since,
    after: 0,
    max: 1000,
    now: new Date(),
  });
}

import { type Tx, tables } from '@parley/db';
import { type PendingEvent, realmSettings, type RealmSetting, to, events } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockRealm } from '../lock.ts';

/** A channel that is put away is for nothing in its organization any more. Part of putting it away. */
export async function unsetChannelSettings(
  tx: Tx,
  realmId: number,
  channelId: number,
): Promise<PendingEvent[]> {
  const { settings } = await lockRealm(tx, realmId);
  // Safe: the keys of the settings.
  const names = (Object.keys(realmSettings) as RealmSetting[]).filter(
    (name) => 'isChannel' in realmSettings[name] && settings[name] === channelId,
  );
  if (names.length === 0) return [];
  const none = Object.fromEntries(names.map((name) => [name, -1]));
  await tx
    .update(tables.realms)
    .set({ settings: { ...settings, ...none } })
    .where(eq(tables.realms.id, realmId));
  return names.map((property) => to.everyone(events.realm.update({ property, value: -1 })));
}

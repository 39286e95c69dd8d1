import { type Tx, tables } from '@parley/db';
import { type PendingEvent, realmSettings, type RealmSetting, to, events } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockRealm } from '../lock.ts';

/** Unsets the realm's settings that name a channel, which is being archived. */
export async function unsetChannelSettings(
  tx: Tx,
  realmId: number,
  channelId: number,
): Promise<PendingEvent[]> {
  const { settings } = await lockRealm(tx, realmId);
  // Safe: these are the keys of the settings.
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

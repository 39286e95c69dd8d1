import { type Tx, tables } from '@parley/db';
import { assertAdministrator } from '@parley/model';
import type { Actor } from '@parley/model';
import { type UserDefaults, type ActionResult, fullUserSettings, to, events } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockRealm } from '../lock.ts';

/** Changes what new accounts start with; those that are there keep what they have. */
export async function editUserDefaults(tx: Tx, actor: Actor, defaults: UserDefaults): Promise<ActionResult> {
  assertAdministrator(actor);
  const { realm } = actor;
  const { userDefaults } = await lockRealm(tx, realm.id);
  const held: Record<string, unknown> = fullUserSettings(userDefaults);
  const changed = Object.entries(defaults).filter(
    ([property, value]) => value !== undefined && value !== held[property],
  );
  await tx
    .update(tables.realms)
    .set({ userDefaults: { ...userDefaults, ...Object.fromEntries(changed) } })
    .where(eq(tables.realms.id, realm.id));
  return {
    events: changed.map(([property, value]) =>
      to.everyone(events.realmUserSettingsDefaults.update({ property, value })),
    ),
    keepsRules: true,
  };
}

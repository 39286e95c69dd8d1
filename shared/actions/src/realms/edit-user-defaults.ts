import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type UserDefaults, type ActionResult, fullUserSettings, to, events } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockRealm } from '../lock.ts';

/**
 * Changes the settings that new accounts start with. Accounts that exist keep theirs.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 */
export async function editUserDefaults(
  tx: Tx,
  { actor, defaults }: { actor: Actor; defaults: UserDefaults },
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const { realm } = actor;
  const { userDefaults } = await lockRealm(tx, realm.id);
  const current: Record<string, unknown> = fullUserSettings(userDefaults);
  const changed = Object.entries(defaults).filter(
    ([property, value]) => value !== undefined && value !== current[property],
  );
  await tx
    .update(tables.realms)
    .set({ userDefaults: { ...userDefaults, ...Object.fromEntries(changed) } })
    .where(eq(tables.realms.id, realm.id));
  return {
    events: changed.map(([property, value]) =>
      to.everyone(events.realmUserSettingsDefaults.update({ property, value })),
    ),
  };
}
editUserDefaults.actionName = 'realms.editUserDefaults' as const;

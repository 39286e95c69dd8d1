import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, events, realmDeactivated, to } from '@parley/protocol';
import { and, eq, isNotNull } from 'drizzle-orm';

import { lockRealm } from '../lock.ts';
import { removeAll as removePushTokens } from '../push-tokens/index.ts';

/**
 * Deactivates the actor's realm: its event is the last one, and every account is refused from then on. What it has stays
 * stored.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but owners
 * @throws REALM_DEACTIVATED if it is deactivated already
 */
export async function deactivate(tx: Tx, { actor }: { actor: Actor }): Promise<ActionResult> {
  model.permissions.assertOwner(actor);
  const { id, isActive } = await lockRealm(tx, actor.realm.id);
  if (!isActive) throw realmDeactivated();
  const { emailChanges, messages, realms, users } = tables;
  await tx.update(realms).set({ isActive: false }).where(eq(realms.id, id));
  // Nobody is shown previews any more.
  await tx
    .update(messages)
    .set({ previewsDueAt: null })
    .where(and(eq(messages.realmId, id), isNotNull(messages.previewsDueAt)));
  await tx.delete(emailChanges).where(eq(emailChanges.realmId, id));
  const accounts = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.realmId, id), users.isActive));
  const revokes = accounts.map((account) => account.id);
  await removePushTokens(tx, { id }, revokes);
  return {
    events: [{ ...to.everyone(events.realm.deactivated({ realm_id: id })), revokes }],
    changesRules: true,
  };
}
deactivate.actionName = 'realms.deactivate' as const;

import { type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, events, to } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockRealm } from '../lock.ts';
import { getRealmDomain, lockRealmDomains } from './lock.ts';

/**
 * Removes a domain. With the last one, the realm ceases to keep to domains.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but owners
 * @throws BAD_REQUEST for a domain that is not one of the realm's
 */
export async function remove(
  tx: Tx,
  { actor, domain }: { actor: Actor; domain: string },
): Promise<ActionResult> {
  model.permissions.assertOwner(actor);
  const { realmDomains, realms } = tables;
  const rows = await lockRealmDomains(tx, actor);
  const row = getRealmDomain(rows, domain);
  await tx.delete(realmDomains).where(hasId(realmDomains, actor.realm, row.id));
  const removed = to.everyone(events.realmDomains.remove({ domain: row.domain }));
  const { settings } = await lockRealm(tx, actor.realm.id);
  if (rows.length > 1 || !settings.emails_restricted_to_domains) {
    return { events: [removed] };
  }
  const property = 'emails_restricted_to_domains';
  await tx
    .update(realms)
    .set({ settings: { ...settings, [property]: false } })
    .where(eq(realms.id, actor.realm.id));
  return {
    events: [removed, to.everyone(events.realm.update({ property, value: false }))],
    changesRules: true,
  };
}
remove.actionName = 'realmDomains.remove' as const;

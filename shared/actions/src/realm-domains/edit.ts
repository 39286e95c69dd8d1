import { type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, events, to } from '@parley/protocol';

import { getRealmDomain, lockRealmDomains } from './lock.ts';

/**
 * Changes whether addresses of a domain's subdomains are taken, too.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but owners
 * @throws BAD_REQUEST for a domain that is not one of the realm's
 */
export async function edit(
  tx: Tx,
  { actor, domain, allowSubdomains }: { actor: Actor; domain: string; allowSubdomains: boolean },
): Promise<ActionResult> {
  model.permissions.assertOwner(actor);
  const row = getRealmDomain(await lockRealmDomains(tx, actor), domain);
  if (row.allowSubdomains === allowSubdomains) return { events: [] };
  const { realmDomains } = tables;
  await tx
    .update(realmDomains)
    .set({ allowSubdomains })
    .where(hasId(realmDomains, actor.realm, row.id));
  const event = events.realmDomains.change({
    realm_domain: model.realmDomains.presentRealmDomain({ ...row, allowSubdomains }),
  });
  return { events: [to.everyone(event)] };
}
edit.actionName = 'realmDomains.edit' as const;

import { type RealmDomainRow, type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, events, limits, to } from '@parley/protocol';

import { lockRealmDomains } from './lock.ts';

/**
 * Adds a domain to those of the realm's email addresses.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but owners
 * @throws BAD_REQUEST for an invalid domain, one that the realm has, or too many
 */
export async function add(
  tx: Tx,
  { actor, ...input }: { actor: Actor; domain: string; allowSubdomains: boolean },
): Promise<ActionResult & { row: RealmDomainRow }> {
  model.permissions.assertOwner(actor);
  const domain = model.realmDomains.parseRealmDomain(input.domain);
  const others = await lockRealmDomains(tx, actor);
  if (others.some((row) => row.domain === domain)) {
    throw new ApiError('BAD_REQUEST', `${domain} is already one of your organization's domains.`);
  }
  if (others.length >= limits.emailDomainsPerRealm) {
    throw new ApiError('BAD_REQUEST', 'There are too many domains. Remove some that nobody needs.');
  }
  const [row] = await tx
    .insert(tables.realmDomains)
    .values({ realmId: actor.realm.id, domain, allowSubdomains: input.allowSubdomains })
    .returning();
  if (!row) throw new Error('An insert returned no row.');
  const event = events.realmDomains.add({ realm_domain: model.realmDomains.presentRealmDomain(row) });
  return { events: [to.everyone(event)], row };
}
add.actionName = 'realmDomains.add' as const;

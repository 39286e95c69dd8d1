import { type Tx, type LinkifierRow, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, limits, ApiError } from '@parley/protocol';

import { lockLinkifiers } from './lock.ts';
import { type LinkifierText, assertLinkifierIsValid } from './validate.ts';

/**
 * Creates a linkifier, which comes last in the order.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for an invalid pattern or template, a pattern that another has, or too many linkifiers
 */
export async function create(
  tx: Tx,
  { actor, ...input }: { actor: Actor } & LinkifierText,
): Promise<ActionResult & { linkifier: LinkifierRow }> {
  model.permissions.assertAdministrator(actor);
  const others = await lockLinkifiers(tx, actor);
  if (others.length >= limits.linkifiersPerRealm) {
    throw new ApiError('BAD_REQUEST', 'There are too many linkifiers. Remove some that nobody needs.');
  }
  assertLinkifierIsValid(input, others);
  const position = (others.at(-1)?.position ?? 0) + 1;
  const [linkifier] = await tx
    .insert(tables.linkifiers)
    .values({ ...input, position, realmId: actor.realm.id })
    .returning();
  if (!linkifier) throw new Error('An insert returned no row.');
  return {
    events: [model.linkifiers.linkifiersEvent([...others, linkifier])],
    changesRules: true,
    linkifier,
  };
}
create.actionName = 'linkifiers.create' as const;

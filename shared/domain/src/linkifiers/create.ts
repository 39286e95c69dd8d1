import { type Tx, tables } from '@parley/db';
import { type ActionResult, ApiError, limits } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import { type LinkifierText, check } from './check.ts';
import { type LinkifierRow, lockLinkifiers } from './find.ts';
import { draftOfLinkifiers } from './present.ts';

/** Makes a linkifier, the last in their order. */
export async function create(
  tx: Tx,
  actor: Actor,
  wanted: LinkifierText,
): Promise<ActionResult & { linkifier: LinkifierRow }> {
  const others = await lockLinkifiers(tx, actor);
  if (others.length >= limits.linkifiersPerRealm) {
    throw new ApiError('BAD_REQUEST', 'There are too many linkifiers.');
  }
  check(wanted, others);
  const position = (others.at(-1)?.position ?? 0) + 1;
  const [linkifier] = await tx
    .insert(tables.linkifiers)
    .values({ ...wanted, position, realmId: actor.realm.id })
    .returning();
  if (!linkifier) throw new Error('An insert returned no row.');
  return { events: [draftOfLinkifiers([...others, linkifier])], linkifier };
}

import { type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';

import { lockLinkifiers } from './lock.ts';
import { type LinkifierText, assertLinkifierIsValid } from './validate.ts';

/**
 * Changes the pattern and the URL template of a linkifier.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a linkifier that does not exist, an invalid pattern or template, or a pattern that another has
 */
export async function edit(
  tx: Tx,
  { actor, id, pattern, urlTemplate }: { actor: Actor } & LinkifierText & { id: number },
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const rows = await lockLinkifiers(tx, actor);
  const before = model.linkifiers.getLinkifier(rows, id);
  const after = { ...before, pattern, urlTemplate };
  assertLinkifierIsValid(
    after,
    rows.filter((row) => row !== before),
  );
  if (before.pattern === pattern && before.urlTemplate === urlTemplate) return { events: [] };
  await tx
    .update(tables.linkifiers)
    .set({ pattern, urlTemplate })
    .where(hasId(tables.linkifiers, actor.realm, id));
  return {
    events: [model.linkifiers.linkifiersEvent(rows.map((row) => (row === before ? after : row)))],
    changesRules: true,
  };
}
edit.actionName = 'linkifiers.edit' as const;

import type { Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, type PushService, limits } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { forgetOldest, lockOwner } from './owner.ts';
import { parseToken } from './parse.ts';

export interface NewToken {
  service: PushService;
  token: string;
  /** The id of the app, on a device of Apple's. */
  appId: string | null;
  nowMs: number;
}

/**
 * Registers a device of the actor for notifications. A device of another account of the organization is the actor's from
 * now on. Of very many devices, those that were registered first are forgotten.
 *
 * @throws BAD_REQUEST for a bot, or a token that is none
 * @throws UNAUTHORIZED for an account that was deactivated, or whose key was replaced, at this moment
 */
export async function add(tx: Tx, { actor, ...input }: { actor: Actor } & NewToken): Promise<ActionResult> {
  model.permissions.assertHuman(actor);
  const { service, appId, nowMs } = input;
  const token = parseToken(service, input.token);
  await lockOwner(tx, actor);
  await tx.execute(sql`
    insert into push_tokens (realm_id, user_id, service, token, app_id, registered_at)
      values (${actor.realm.id}, ${actor.id}, ${service}, ${token}, ${appId}, to_timestamp(${nowMs / 1000}))
    on conflict (realm_id, service, md5(token)) do update
      set user_id = excluded.user_id, token = excluded.token, app_id = excluded.app_id,
        registered_at = excluded.registered_at`);
  await forgetOldest(tx, actor, { areBrowsers: false, max: limits.pushTokensPerUser });
  return { events: [] };
}
add.actionName = 'pushTokens.add' as const;

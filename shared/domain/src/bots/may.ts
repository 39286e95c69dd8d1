import { ApiError, botTypes } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import type { Rules } from '../realms/rules.ts';

/** Bots that only write are let to more people than others. */
export function checkMayCreateBot(actor: Actor, type: number, rules: Rules): void {
  const may =
    rules.may(actor, 'can_create_bots_group') ||
    (type === botTypes.incomingWebhook && rules.may(actor, 'can_create_write_only_bots_group'));
  if (!may) throw new ApiError('BAD_REQUEST', 'Insufficient permission');
}

import type { Actor, Rules } from '@parley/model';
import { botTypes, ApiError } from '@parley/protocol';

/** Bots that only write are let to more people than others. */
export function assertMayCreateBot(actor: Actor, type: number, rules: Rules): void {
  const may =
    rules.may(actor, 'can_create_bots_group') ||
    (type === botTypes.incomingWebhook && rules.may(actor, 'can_create_write_only_bots_group'));
  if (!may) throw new ApiError('BAD_REQUEST', 'Insufficient permission');
}

import type * as model from '@parley/model';
import { botTypes, ApiError } from '@parley/protocol';

type Member = Parameters<model.permissions.Rules['may']>[0];

/**
 * Refuses a user who may not create a bot of this type. Incoming webhooks, which only write, have a permission of their
 * own.
 *
 * @throws BAD_REQUEST without the permission
 */
export function assertMayCreateBot(user: Member, type: number, rules: model.permissions.Rules): void {
  const isPermitted =
    rules.may(user, 'can_create_bots_group') ||
    (type === botTypes.incomingWebhook && rules.may(user, 'can_create_write_only_bots_group'));
  if (!isPermitted) throw new ApiError('BAD_REQUEST', 'You do not have permission to do this.');
}

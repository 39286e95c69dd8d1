import type { Tx, tables } from '@parley/db';
import { type Actor, isAdministrator, parseTextField } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, limits, type RealmGroupSetting, type Role, roles } from '@parley/protocol';

import { listOfferedGroups } from '../user-groups/index.ts';

/** What an invitation makes of whoever accepts it. */
export interface Offer {
  role: Role;
  channelIds: readonly number[];
  groupIds: readonly number[];
  includesDefaults: boolean;
  /** Null for an invitation that is valid for ever. */
  expiresInMinutes: number | null;
  /** What the welcome bot adds for them; null for the realm's own text. */
  welcomeText: string | null;
  nowMs: number;
}

/**
 * Returns the columns of an invitation that an actor makes.
 *
 * @throws BAD_REQUEST for a bot, a guest, somebody without the permission, a role, channel, group or welcome that is not
 * theirs to give, or a welcome that is too long
 * @throws UNAUTHORIZED_PRINCIPAL for an invitation of an owner, for anyone but owners
 */
export async function resolveOffer(
  tx: Tx,
  actor: Actor,
  rules: model.permissions.Rules,
  permission: RealmGroupSetting,
  offer: Offer,
): Promise<Omit<typeof tables.invitations.$inferInsert, 'email' | 'notifiesInviter'>> {
  model.permissions.assertHuman(actor);
  model.permissions.assertMember(actor);
  if (!rules.may(actor, permission))
    throw new ApiError('BAD_REQUEST', 'You do not have permission to do this.');
  if (offer.role === roles.owner) model.permissions.assertOwner(actor);
  if (!model.invitations.mayInviteAs(actor, offer.role)) {
    throw new ApiError('BAD_REQUEST', 'Only administrators of the organization can do this.');
  }
  const channelIds = [...new Set(offer.channelIds)];
  for (const id of channelIds) await assertMayOfferChannel(tx, actor, rules, id);
  const groupIds = [...new Set(offer.groupIds)];
  const offered = new Set((await listOfferedGroups(tx, actor, rules, groupIds)).map(({ id }) => id));
  const missing = groupIds.find((id) => !offered.has(id));
  if (missing !== undefined)
    throw new ApiError('BAD_REQUEST', `There is no user group with the id ${missing}.`);
  if (offer.welcomeText !== null && !isAdministrator(actor)) {
    throw new ApiError('BAD_REQUEST', 'Only administrators of the organization can do this.');
  }
  const { role, includesDefaults, expiresInMinutes, nowMs } = offer;
  return {
    realmId: actor.realm.id,
    inviterId: actor.id,
    role,
    channelIds,
    groupIds,
    includesDefaults,
    welcomeText: offer.welcomeText && parseWelcomeText(offer.welcomeText),
    createdAt: new Date(nowMs),
    expiresAt: expiresInMinutes === null ? null : new Date(nowMs + expiresInMinutes * 60_000),
  };
}

const parseWelcomeText = (text: string) =>
  parseTextField('welcome_message_custom_text', text, limits.welcomeTextLength, { mayBeEmpty: true });

async function assertMayOfferChannel(
  tx: Tx,
  actor: Actor,
  rules: model.permissions.Rules,
  id: number,
): Promise<void> {
  const access = await model.access.findChannel(tx, actor, id);
  if (!access || access.channel.isArchived || !model.access.mayReadChannel(actor, access, rules)) {
    throw new ApiError('BAD_REQUEST', `Nobody was invited: there is no channel with the id ${id}.`);
  }
  if (!model.access.mayAddSubscribers(actor, access, rules)) {
    throw new ApiError('BAD_REQUEST', 'You do not have permission to subscribe other people to channels.');
  }
}

/** Returns the channels of an offer that its maker may still give. */
export async function listOfferedChannels(
  tx: Tx,
  inviter: Actor,
  rules: model.permissions.Rules,
  ids: readonly number[],
): Promise<number[]> {
  const offered: number[] = [];
  for (const id of ids) {
    const access = await model.access.findChannel(tx, inviter, id);
    if (
      access &&
      model.access.mayReadChannel(inviter, access, rules) &&
      model.access.mayAddSubscribers(inviter, access, rules)
    ) {
      offered.push(id);
    }
  }
  return offered;
}

import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { ApiError, Invite, invitationTimes, limits, roles } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form, id } from '../endpoint/endpoint.ts';

const ids = (max: number) => z.array(id).max(max);

/** What an invitation by email and a link have in common. */
const offerParams = {
  invite_expires_in_minutes: form
    .json(z.int().min(1).max(100_000_000).nullable())
    .default(invitationTimes.presetMinutes),
  invite_as: form.json(z.literal(Object.values(roles))).default(roles.member),
  group_ids: form.json(ids(limits.groupsPerInvitation)).default([]),
  include_realm_default_subscriptions: form.bool().default(false),
  welcome_message_custom_text: form.text().optional(),
};

interface OfferParams {
  invite_expires_in_minutes: number | null;
  invite_as: (typeof roles)[keyof typeof roles];
  group_ids: number[];
  include_realm_default_subscriptions: boolean;
  welcome_message_custom_text: string | undefined;
  stream_ids: number[];
}

const offerOf = (params: OfferParams, nowMs: number) => ({
  role: params.invite_as,
  channelIds: params.stream_ids,
  groupIds: params.group_ids,
  includesDefaults: params.include_realm_default_subscriptions,
  expiresInMinutes: params.invite_expires_in_minutes,
  welcomeText: params.welcome_message_custom_text ?? null,
  nowMs,
});

const requires = ['human', 'member'] as const;

export const invitationRoutes = [
  endpoint({
    method: 'GET',
    path: '/invites',
    summary: "Lists the caller's invitations that nobody has accepted yet; for administrators, everyone's.",
    since: null,
    errors: [],
    requires,
    params: {},
    returns: { invites: z.array(Invite) },
    async handle({ actor, realm, clock, snapshot, invitations }) {
      const now = new Date(clock.nowMs());
      const rows = await snapshot((tx) => model.invitations.listInvitations(tx, actor, now));
      return {
        invites: rows.map((row) =>
          model.invitations.presentInvitation(row, (one) => invitations.urlOf(realm, one)),
        ),
      };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/invites',
    summary: 'Invites people to the organization by email.',
    since: null,
    errors: ['INVITATION_FAILED', 'UNAUTHORIZED_PRINCIPAL'],
    requires,
    params: {
      invitee_emails: form.text(),
      stream_ids: form.json(ids(limits.channelsPerRequest)),
      ...offerParams,
      notify_referrer_on_join: form.bool().default(true),
    },
    returns: {},
    async handle({ actor, params, clock, perform, invitations }) {
      invitations.assertCanMail();
      const input = {
        ...offerOf(params, clock.nowMs()),
        emails: params.invitee_emails,
        notifiesInviter: params.notify_referrer_on_join,
        perDayMax: invitations.perDayMax,
      };
      const { notInvited } = await perform(actions.invitations.inviteByEmail, { actor, ...input });
      if (notInvited.length === 0) return {};
      throw new ApiError(
        'INVITATION_FAILED',
        'Some of these people already have accounts. Everyone else has been invited.',
        {
          errors: notInvited,
          sent_invitations: true,
          license_limit_reached: false,
          daily_limit_reached: false,
        },
      );
    },
  }),

  endpoint({
    method: 'POST',
    path: '/invites/multiuse',
    summary: 'Makes a link by which anybody may join the organization.',
    since: null,
    errors: ['UNAUTHORIZED_PRINCIPAL'],
    requires,
    params: { stream_ids: form.json(ids(limits.channelsPerRequest)).default([]), ...offerParams },
    returns: { invite_link: z.string() },
    async handle({ actor, realm, params, clock, perform, invitations }) {
      const offer = offerOf(params, clock.nowMs());
      const { row } = await perform(actions.invitations.createLink, { actor, offer });
      return { invite_link: invitations.urlOf(realm, row.id) };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/invites/:invite_id/resend',
    summary: 'Sends the mail of an invitation again.',
    since: null,
    errors: ['UNAUTHORIZED_PRINCIPAL'],
    requires,
    params: { invite_id: form.id() },
    returns: {},
    async handle({ actor, params, clock, perform, invitations }) {
      invitations.assertCanMail();
      await perform(actions.invitations.resend, { actor, id: params.invite_id, nowMs: clock.nowMs() });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/invites/:invite_id',
    summary: 'Revokes an invitation by email.',
    since: null,
    errors: ['UNAUTHORIZED_PRINCIPAL'],
    requires,
    params: { invite_id: form.id() },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.invitations.revoke, { actor, id: params.invite_id, kind: 'email' });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/invites/multiuse/:invite_id',
    summary: 'Revokes an invitation link.',
    since: null,
    errors: ['UNAUTHORIZED_PRINCIPAL'],
    requires,
    params: { invite_id: form.id() },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.invitations.revoke, { actor, id: params.invite_id, kind: 'link' });
      return {};
    },
  }),
];

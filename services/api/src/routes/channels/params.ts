import type * as actions from '@parley/actions';
import { ApiError, channelGroupNames, topicsPolicies } from '@parley/protocol';
import { z } from 'zod';

import { form, id } from '../../endpoint/endpoint.ts';
import { newPermissions } from '../../endpoint/permissions.ts';

/** A word. Some clients send it as a JSON string, others as plain text. */
const word = z.string().transform((raw) => (/^".*"$/.test(raw) ? raw.slice(1, -1) : raw));

export const topicsPolicy = word.pipe(z.enum(topicsPolicies));

const daysMax = 1_000_000;

/** A number of days. Null stands for the organization's setting, -1 for keeping messages for ever. */
export const retention = word.transform((raw, context): number | null => {
  if (raw === 'realm_default') return null;
  if (raw === 'unlimited') return -1;
  const days = /^\d{1,7}$/.test(raw) ? Number(raw) : 0;
  if (days > 0 && days <= daysMax) return days;
  context.addIssue({ code: 'custom', message: 'must be a number of days.' });
  return z.NEVER;
});

const permissions = newPermissions(channelGroupNames);

/** The settings that a new channel can be given. */
export const newChannelParams = {
  invite_only: form.bool().default(false),
  is_web_public: form.bool().default(false),
  is_default_stream: form.bool().default(false),
  history_public_to_subscribers: form.bool().optional(),
  message_retention_days: retention.default(null),
  folder_id: form.json(id.nullable()).default(null),
  topics_policy: topicsPolicy.default('inherit'),
  ...permissions.params,
};

type NewChannelParams = {
  [Name in keyof typeof newChannelParams]: z.output<(typeof newChannelParams)[Name]>;
};

export function readNewChannel(params: NewChannelParams): actions.channels.NewChannelSettings {
  const isPrivate = params.invite_only;
  return {
    isPrivate,
    isWebPublic: params.is_web_public,
    sharesHistory: params.history_public_to_subscribers ?? !isPrivate,
    isDefault: params.is_default_stream,
    messageRetentionDays: params.message_retention_days,
    topicsPolicy: params.topics_policy,
    folderId: params.folder_id,
    groupSettings: permissions.sent(params),
  };
}

export const color = z
  .string()
  .regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/, { error: 'must be a color such as #a1b2c3.' });

/** Returns a color as it is stored, with six digits in lower case. */
export const fullColor = (value: string) =>
  (value.length === 4 ? value.replaceAll(/[0-9a-fA-F]/g, '$&$&') : value).toLowerCase();

/** A description. The actions refuse a text that is too long, and never cut it. */
export const description = form.line(100_000);

export const badRequest = (msg: string) => new ApiError('BAD_REQUEST', msg);

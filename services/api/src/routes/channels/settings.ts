import type * as actions from '@parley/actions';
import {
  ApiError,
  GroupSettingInput,
  type ChannelGroupSetting,
  GroupSettingChange,
  channelGroupNames,
  topicsPolicies,
} from '@parley/protocol';
import { z } from 'zod';

import { form, id } from '../../endpoint.ts';

/** Some clients send words as JSON, others as they stand. */
const word = z.string().transform((raw) => (/^".*"$/.test(raw) ? raw.slice(1, -1) : raw));

export const topicsPolicy = word.pipe(z.enum(topicsPolicies));

const daysMax = 1_000_000;

/** Days; null is what the organization says, -1 for ever. */
export const retention = word.transform((raw, context): number | null => {
  if (raw === 'realm_default') return null;
  if (raw === 'unlimited') return -1;
  const days = /^\d{1,7}$/.test(raw) ? Number(raw) : 0;
  if (days > 0 && days <= daysMax) return days;
  context.addIssue({ code: 'custom', message: 'is not a number of days' });
  return z.NEVER;
});

type ParamOf<Schema extends z.ZodType> = ReturnType<ReturnType<typeof form.json<Schema>>['optional']>;

const permissionParams = Object.fromEntries(
  channelGroupNames.map((name) => [name, form.json(GroupSettingInput).optional()]),
  // Safe: an entry for each permission.
) as Record<ChannelGroupSetting, ParamOf<typeof GroupSettingInput>>;

/** A permission that is changed, and what the client took it to be. */
export const permissionChangeParams = Object.fromEntries(
  channelGroupNames.map((name) => [name, form.json(GroupSettingChange).optional()]),
  // Safe: an entry for each permission.
) as Record<ChannelGroupSetting, ParamOf<typeof GroupSettingChange>>;

/** What may be said of a channel as it is made. */
export const newChannelParams = {
  invite_only: form.bool().default(false),
  is_web_public: form.bool().default(false),
  is_default_stream: form.bool().default(false),
  history_public_to_subscribers: form.bool().optional(),
  message_retention_days: retention.default(null),
  folder_id: form.json(id.nullable()).default(null),
  topics_policy: topicsPolicy.default('inherit'),
  ...permissionParams,
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
    groupSettings: given(params),
  };
}

/** Of the permissions, those that were sent. */
export const given = <Value>(params: { [Name in ChannelGroupSetting]: Value | undefined }) =>
  Object.fromEntries(
    channelGroupNames.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])),
    // Safe: a part of the permissions, each with what was sent for it.
  ) as Partial<Record<ChannelGroupSetting, NonNullable<Value>>>;

export const color = z
  .string()
  .regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/, { error: 'is not a valid hex color code' });

/** As it is stored: six digits, in lower case. */
export const fullColor = (value: string) =>
  (value.length === 4 ? value.replaceAll(/[0-9a-fA-F]/g, '$&$&') : value).toLowerCase();

/** Descriptions are cut by nobody: what is too long is refused. */
export const description = form.line(100_000);

export const badRequest = (msg: string) => new ApiError('BAD_REQUEST', msg);

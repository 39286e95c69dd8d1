import * as actions from '@parley/actions';
import { parseOptional } from '@parley/model';
import * as model from '@parley/model';
import {
  ApiError,
  GroupSettingChange,
  type RealmGroupSetting,
  type RealmSettings,
  realmGroupRows,
  realmSettingRows,
} from '@parley/protocol';
import { z } from 'zod';

import type { RequestContext } from '../endpoint/context.ts';
import { endpoint, form } from '../endpoint/endpoint.ts';

type Row = (typeof realmSettingRows)[number][1];
type SettingParams = Record<string, z.ZodType<unknown, string | undefined>>;

const settingParams: SettingParams = Object.fromEntries(
  realmSettingRows.map(([name, row]) => [name, paramOf(row).optional()]),
);
const permissionParams = Object.fromEntries(
  realmGroupRows.map(([name]) => [name, form.json(GroupSettingChange).optional()]),
);

function paramOf({ schema, unlimited }: Row) {
  // The schema is wide here, because `readLimit` refuses a number out of range with an error code of its own.
  if (unlimited !== undefined) return form.json(z.union([z.int().max(2_147_483_647), z.string().max(100)]));
  if (schema instanceof z.ZodNullable) {
    // Clients send `default` for the value of the server, which is stored as null.
    return form.json(
      z
        .string()
        .transform((text) => (text === 'default' ? null : text))
        .pipe(schema as z.ZodType<unknown, string | null>),
    );
  }
  return form.value(schema);
}

/**
 * Reads a limit: a number, or the word for no limit.
 * @throws REQUEST_VARIABLE_INVALID
 */
function readLimit(name: string, { schema, unlimited }: Row, value: unknown): unknown {
  if (value === 'unlimited') return unlimited;
  if (typeof value === 'number' && value > 0 && schema.safeParse(value).success) return value;
  throw new ApiError('REQUEST_VARIABLE_INVALID', `'${name}' cannot be '${String(value)}'.`, {
    var_name: name,
    bad_value: String(value),
  });
}

/** The settings that were sent. */
function readSettings(params: Record<string, unknown>) {
  const settings = realmSettingRows
    .filter(([name]) => params[name] !== undefined)
    .map(([name, row]) => [
      name,
      row.unlimited === undefined ? params[name] : readLimit(name, row, params[name]),
    ]);
  // Safe: each value was read by the schema of its row.
  return Object.fromEntries(settings) as Partial<RealmSettings>;
}

/** The permissions that were sent. */
function readPermissions(params: Record<string, unknown>) {
  const permissions = realmGroupRows
    .filter(([name]) => params[name] !== undefined)
    .map(([name]) => [name, params[name]]);
  // Safe: each value was read as a change of a permission.
  return Object.fromEntries(permissions) as Partial<Record<RealmGroupSetting, GroupSettingChange>>;
}

async function answerAvailability({
  params,
  snapshot,
}: Pick<RequestContext<{ subdomain: string }, null>, 'params' | 'snapshot'>) {
  return {
    msg: (await snapshot((tx) => model.realms.takenNameProblem(tx, params.subdomain))) ?? 'available',
  };
}

export const realmRoutes = [
  endpoint({
    method: 'PATCH',
    path: '/realm',
    summary: "Changes the organization's name, description, settings or permissions.",
    since: null,
    errors: ['EXPECTATION_MISMATCH', 'REQUEST_VARIABLE_INVALID', 'SYSTEM_GROUP_REQUIRED'],
    requires: ['administrator'],
    isLong: true,
    params: {
      name: form.text().optional(),
      description: form.text().optional(),
      string_id: form.text().optional(),
      authentication_methods: form.json(z.record(z.string().max(100), z.boolean())).optional(),
      ...settingParams,
      ...permissionParams,
    },
    aliases: { svc_update_announcements_stream_id: 'zulip_update_announcements_stream_id' },
    returns: { realm_uri: z.string().optional() },
    async handle({ actor, realm, params, clock, perform, auth, canMail }) {
      const settings = readSettings(params);
      if (settings.digest_emails_enabled === true && !canMail) {
        throw new ApiError('BAD_REQUEST', 'This server cannot send email, so there are no digests.');
      }
      const input = {
        authentication: parseOptional(params.authentication_methods, (methods) => ({
          methods,
          available: auth.signIn.available,
        })),
        name: params.name,
        description: params.description,
        subdomain: params.string_id,
        nowMs: clock.nowMs(),
        settings,
        permissions: readPermissions(params),
      };
      await perform(actions.realms.edit, { actor, ...input });
      return params.string_id === undefined
        ? {}
        : { realm_uri: model.realms.neighbourUrl(realm, params.string_id) };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/realm/deactivate',
    summary: 'Deactivates the organization: nobody can use it any more.',
    since: null,
    errors: ['REALM_DEACTIVATED'],
    requires: ['owner'],
    params: { deletion_delay_days: form.json(z.int().nullable()).optional() },
    returns: {},
    async handle({ actor, params, perform }) {
      if ((params.deletion_delay_days ?? null) !== null) {
        throw new ApiError('BAD_REQUEST', 'This server keeps the data of deactivated organizations.');
      }
      await perform(actions.realms.deactivate, { actor });
      return {};
    },
  }),

  endpoint({
    method: 'POST',
    path: '/realm/test_welcome_bot_custom_message',
    summary: 'Sends the caller the message that new accounts would get with this text of the organization.',
    since: 416,
    errors: [],
    requires: ['administrator'],
    params: { welcome_message_custom_text: form.text() },
    returns: { message_id: z.int() },
    async handle({ actor, params, perform }) {
      const { messageIds } = await perform(actions.users.testWelcome, {
        actor,
        customText: params.welcome_message_custom_text,
      });
      const [message_id] = messageIds;
      if (message_id === undefined) throw new Error('A message was sent and has no id.');
      return { message_id };
    },
  }),

  endpoint({
    method: 'GET',
    path: '/realm/subdomain/:subdomain',
    summary: 'Says whether an organization could have a subdomain, and else why not.',
    since: null,
    errors: [],
    auth: 'none',
    params: { subdomain: form.text() },
    returns: { msg: z.string() },
    handleAtRoot: answerAvailability,
    handle: answerAvailability,
  }),
];

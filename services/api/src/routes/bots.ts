import * as actions from '@parley/actions';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, botTypes, roles } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form, id } from '../endpoint/endpoint.ts';
import { integrations } from '../integrations/index.ts';

type Bot = Awaited<ReturnType<typeof model.bots.presentBot>>;

/** Outgoing webhooks in the server's own format; 2 is that of Slack. */
const genericInterface = 1;

const channelName = form.line(1000).optional();
/** A URL, which is sent as a JSON string with its quotes. */
const url = form.json(z.string().max(2000)).optional();
const config = form.json(z.record(z.string(), z.string())).optional();

const defaults = {
  default_sending_stream: channelName,
  default_events_register_stream: channelName,
  default_all_public_streams: form.bool().optional(),
};

const defaultsReturned = {
  avatar_url: z.string(),
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
};

const defaultsOf = (bot: Bot) => ({
  avatar_url: bot.avatar_url,
  default_sending_stream: bot.default_sending_stream,
  default_events_register_stream: bot.default_events_register_stream,
  default_all_public_streams: bot.default_all_public_streams,
});

interface DefaultParams {
  default_sending_stream?: string | undefined;
  default_events_register_stream?: string | undefined;
  default_all_public_streams?: boolean | undefined;
}

const readDefaults = (params: DefaultParams) => ({
  sendingChannel: params.default_sending_stream,
  eventsChannel: params.default_events_register_stream,
  allPublicChannels: params.default_all_public_streams,
});

function readType(type: number, serviceName: string | undefined): number {
  if (type === botTypes.embedded) throw new ApiError('BAD_REQUEST', 'This server has no embedded bots.');
  if (type < 1 || type > botTypes.embedded)
    throw new ApiError('BAD_REQUEST', 'There is no such type of bot.');
  const isKnown = serviceName === undefined || integrations.some(({ name }) => name === serviceName);
  if (type === botTypes.incomingWebhook && !isKnown) {
    throw new ApiError('BAD_REQUEST', `There is no integration called '${serviceName}'.`);
  }
  return type;
}

function readService(type: number, payloadUrl: string | undefined, kind: number) {
  if (type !== botTypes.outgoingWebhook) return null;
  if (payloadUrl === undefined) {
    throw new ApiError('REQUEST_VARIABLE_MISSING', "The parameter 'payload_url' is missing.", {
      var_name: 'payload_url',
    });
  }
  return { baseUrl: payloadUrl, interface: kind };
}

const ownBot = z.strictObject({
  username: z.string(),
  full_name: z.string(),
  api_key: z.string(),
  ...defaultsReturned,
});

const keyOf = (bot: Bot, apiKeyOf: (user: { id: number; keyGeneration: number }) => string) =>
  apiKeyOf({ id: bot.user_id, keyGeneration: bot.key_generation });

export const botRoutes = [
  endpoint({
    method: 'GET',
    path: '/bots',
    summary: "Lists the caller's own active bots with their API keys.",
    since: null,
    errors: [],
    requires: ['human', 'member'],
    params: {},
    returns: { bots: z.array(ownBot) },
    async handle({ actor, snapshot, auth }) {
      const own = await snapshot(async (tx) =>
        model.bots.hideChannelNames(
          tx,
          actor,
          await model.bots.presentBots(tx, await model.bots.listOwnBots(tx, actor)),
        ),
      );
      return {
        bots: own.map((bot) => ({
          username: bot.email,
          full_name: bot.full_name,
          api_key: keyOf(bot, auth.apiKeyOf),
          ...defaultsOf(bot),
        })),
      };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/bots',
    summary: 'Creates a bot that belongs to the caller.',
    since: null,
    errors: [],
    requires: ['human', 'member'],
    isLong: true,
    params: {
      full_name: form.text(),
      short_name: form.line(100),
      bot_type: form.int(-1000, 1000).default(botTypes.generic),
      service_name: form.line(100).optional(),
      interface_type: form.int(-1000, 1000).default(genericInterface),
      payload_url: url,
      config_data: config,
      ...defaults,
    },
    returns: { user_id: z.int(), api_key: z.string(), ...defaultsReturned },
    async handle({ actor, params, perform, snapshot, auth }) {
      const { full_name, short_name, bot_type, service_name, interface_type, payload_url } = params;
      const type = readType(bot_type, service_name);
      const input = {
        fullName: full_name,
        shortName: short_name,
        type,
        service: readService(type, payload_url, interface_type),
        config: params.config_data,
        ...readDefaults(params),
      };
      const { user } = await perform(actions.bots.create, { actor, ...input });
      const bot = await snapshot((tx) => model.bots.presentBot(tx, user));
      return { user_id: user.id, api_key: keyOf(bot, auth.apiKeyOf), ...defaultsOf(bot) };
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/bots/:bot_id',
    summary: 'Changes the name, owner, role, service or default channels of a bot.',
    since: null,
    errors: ['UNAUTHORIZED_PRINCIPAL'],
    requires: ['human'],
    isLong: true,
    params: {
      bot_id: form.json(id),
      full_name: form.text().optional(),
      role: form.json(z.literal(Object.values(roles))).optional(),
      bot_owner_id: form.json(id).optional(),
      config_data: config,
      service_interface: form.int(-1000, 1000).optional(),
      service_payload_url: url,
      ...defaults,
    },
    returns: {
      full_name: z.string(),
      service_interface: z.int().nullable(),
      service_payload_url: z.string().nullable(),
      config_data: z.record(z.string(), z.string()),
      bot_owner: z.string().optional(),
      ...defaultsReturned,
    },
    async handle({ actor, params, perform, snapshot }) {
      const { bot_id, full_name, role, bot_owner_id, service_interface, service_payload_url } = params;
      const { bot } = await perform(actions.bots.edit, {
        actor,
        id: bot_id,
        fullName: full_name,
        role,
        ownerId: bot_owner_id,
        service: {
          baseUrl: service_payload_url,
          interface: service_interface,
        },
        config: params.config_data,
        ...readDefaults(params),
      });
      return await snapshot(async (tx) => {
        const [visible = null] = await model.bots.hideChannelNames(
          tx,
          actor,
          await model.bots.presentBots(tx, [bot]),
        );
        if (!visible) throw new Error('A bot was not presented.');
        return presentEdited(visible, await ownerOf(tx, actor, bot));
      });
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/bots/:bot_id',
    summary: 'Deactivates a bot.',
    since: null,
    errors: [],
    requires: ['human'],
    params: { bot_id: form.json(id) },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.activation.deactivateBot, { actor, id: params.bot_id });
      return {};
    },
  }),

  endpoint({
    method: 'POST',
    path: '/bots/:bot_id/api_key/regenerate',
    summary: 'Gives a bot a new API key and ends the old one.',
    since: null,
    errors: [],
    requires: ['human'],
    params: { bot_id: form.json(id) },
    returns: { api_key: z.string() },
    async handle({ actor, params, perform, auth }) {
      const { user } = await perform(actions.bots.regenerateKey, { actor, id: params.bot_id });
      return { api_key: auth.apiKeyOf(user) };
    },
  }),
];

async function ownerOf(
  tx: Parameters<typeof model.users.listUsers>[0],
  { realm }: Actor,
  { botOwnerId }: { botOwnerId: number | null },
): Promise<string | undefined> {
  const [owner] = botOwnerId === null ? [] : await model.users.listUsers(tx, realm.id, [botOwnerId]);
  return owner && model.users.publicEmail(owner, realm.emailDomain);
}

function presentEdited(bot: Bot, owner: string | undefined) {
  const [service] = bot.services;
  return {
    full_name: bot.full_name,
    service_interface: service?.interface ?? null,
    service_payload_url: service?.base_url ?? null,
    // What it is set to is secret.
    config_data: {},
    ...(owner !== undefined && { bot_owner: owner }),
    ...defaultsOf(bot),
  };
}

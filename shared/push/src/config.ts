import { readFileSync } from 'node:fs';

import type { PushService } from '@parley/protocol';
import { z } from 'zod';

import { createApnsClient } from './apns.ts';
import { ServiceAccount, createFcmClient } from './fcm.ts';
import type { PushClient, ServiceClient } from './push-client.ts';
import { type WebOptions, createWebClient } from './web.ts';

const url = z.url({ protocol: /^https?$/ });

/** Configuration variables of every service that notifies phones and browsers. */
export const pushConfig = {
  APNS_KEY_FILE: z.string().optional().describe('Key file (.p8) for Apple’s push service.'),
  APNS_KEY_ID: z.string().default('').describe('Id of the key in APNS_KEY_FILE.'),
  APNS_TEAM_ID: z.string().default('').describe('Id of the team that owns the key.'),
  APNS_URL: url.default('https://api.push.apple.com').describe('URL of Apple’s push service.'),
  FCM_ACCOUNT_FILE: z.string().optional().describe('Service account file (JSON) for Google’s push service.'),
  WEB_PUSH: z
    .enum(['0', '1'])
    .default('1')
    .transform((value) => value === '1')
    .describe('0 sends no notifications to browsers (web push).'),
  WEB_PUSH_CONTACT: z
    .url({ protocol: /^(?:https|mailto)$/ })
    .optional()
    .describe(
      'Address (mailto: or https:) by which push services of browsers reach you. Without it, BASE_URL’s host.',
    ),
  FCM_URL: url.default('https://fcm.googleapis.com').describe('URL of Google’s push service.'),
};

type PushConfig = z.output<z.ZodObject<typeof pushConfig>>;

/** Creates the services that the configuration names, and that of browsers if `web` says how to reach it. */
export function createPushClient(config: PushConfig, web?: WebOptions): PushClient {
  const phones = createPhoneClients(config);
  const browsers = web && config.WEB_PUSH ? createWebClient(web) : undefined;
  return {
    // Safe: these are the keys of the clients.
    services: new Set([...(Object.keys(phones) as PushService[]), ...(browsers ? (['web'] as const) : [])]),
    async send(device, notification) {
      const sent =
        device.service === 'web'
          ? browsers?.send(device, notification)
          : phones[device.service]?.send(device, notification);
      return (await sent) ?? { kind: 'refused', reason: 'The server is not set up for this service.' };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(phones).map((client) => client[Symbol.asyncDispose]()));
    },
  };
}

/** Throws an Error for a file that cannot be read. */
function createPhoneClients(config: PushConfig): Partial<Record<PushService, ServiceClient>> {
  const { APNS_KEY_FILE: keyFile, FCM_ACCOUNT_FILE: accountFile } = config;
  return {
    ...(keyFile !== undefined && {
      apns: createApnsClient({
        url: config.APNS_URL,
        key: readFileSync(keyFile, 'utf8'),
        keyId: config.APNS_KEY_ID,
        teamId: config.APNS_TEAM_ID,
      }),
    }),
    ...(accountFile !== undefined && {
      fcm: createFcmClient({
        url: config.FCM_URL,
        account: ServiceAccount.parse(JSON.parse(readFileSync(accountFile, 'utf8'))),
      }),
    }),
  };
}

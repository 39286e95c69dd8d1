import { readFileSync } from 'node:fs';

import type { PushService } from '@parley/protocol';
import { z } from 'zod';

import { createApnsClient } from './apns.ts';
import { ServiceAccount, createFcmClient } from './fcm.ts';
import type { PushClient, ServiceClient } from './push-client.ts';

const url = z.url({ protocol: /^https?$/ });

/** Configuration variables of every service that notifies phones. */
export const pushConfig = {
  APNS_KEY_FILE: z.string().optional().describe('Key file (.p8) for Apple’s push service.'),
  APNS_KEY_ID: z.string().default('').describe('Id of the key in APNS_KEY_FILE.'),
  APNS_TEAM_ID: z.string().default('').describe('Id of the team that owns the key.'),
  APNS_URL: url.default('https://api.push.apple.com').describe('URL of Apple’s push service.'),
  FCM_ACCOUNT_FILE: z.string().optional().describe('Service account file (JSON) for Google’s push service.'),
  FCM_URL: url.default('https://fcm.googleapis.com').describe('URL of Google’s push service.'),
};

type PushConfig = z.output<z.ZodObject<typeof pushConfig>>;

/** Creates the services that the configuration names. Throws an Error for a file that cannot be read. */
export function createPushClient(config: PushConfig): PushClient {
  const { APNS_KEY_FILE: keyFile, FCM_ACCOUNT_FILE: accountFile } = config;
  const clients: Partial<Record<PushService, ServiceClient>> = {
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
  return {
    // Safe: these are the keys of the clients.
    services: new Set(Object.keys(clients) as PushService[]),
    async send(device, notification) {
      const client = clients[device.service];
      return client
        ? await client.send(device, notification)
        : { kind: 'refused', reason: 'The server is not set up for this service.' };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(clients).map((client) => client[Symbol.asyncDispose]()));
    },
  };
}

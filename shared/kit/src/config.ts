import { z } from 'zod';

import { Networks } from './networks.ts';

/**
 * Reads a service's configuration from the environment with one schema, and reports all mistakes at once. Throws an
 * Error whose message lists each wrong variable, what is wrong with it, and what it is for.
 */
export function readConfig<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: Readonly<Record<string, string | undefined>>,
): z.output<z.ZodObject<Shape>> {
  const parsed = z.object(shape).safeParse(env);
  if (parsed.success) return parsed.data;
  const mistakes = parsed.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    const purpose = shape[name] instanceof z.ZodType ? shape[name].description : undefined;
    return `  ${name}: ${env[name] === undefined ? 'not set' : message}${purpose ? `\n    ${purpose}` : ''}`;
  });
  const settings = mistakes.length === 1 ? 'One setting is' : `${mistakes.length} settings are`;
  throw new Error(`${settings} invalid:\n${mistakes.join('\n')}`);
}

/** Configuration variables of every service. */
export const commonConfig = {
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(0)
    .describe('Port to listen on. 0 chooses a free one.'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  DATABASE_URL: z
    .string()
    .url()
    .describe(
      'URL of Postgres 15 or newer. `connect_timeout`: seconds that opening may take, 5; an answer 0.3 of them.',
    ),
  REDIS_URL: z
    .string()
    .regex(/^rediss?(\+(sentinel|cluster))?:\/\/\S+$/i, 'is not the URL of a Redis server')
    .describe('URL of Redis 7 or Valkey 7 or newer: one server, sentinels, or a cluster.'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least severe level to log: debug, info, warn, error or silent.'),
  PARLEY_SECRET: z
    .string()
    .min(32)
    .describe('Secret of the server, 32 characters or more. API keys are derived from it.'),
  PARLEY_OTHER_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe('Secret that is believed beside PARLEY_SECRET, while that is being changed.'),
  BASE_HOST: z.string().default('localhost').describe('Host name whose subdomains are organizations.'),
  BASE_URL: z.url().default('http://localhost:9991').describe('Public URL of the bare host.'),
  ROOT_REALM: z
    .string()
    .default('')
    .describe('Organization that is served at the bare host and at IP addresses.'),
  FAKE_EMAIL_DOMAIN: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'is not a domain with a dot')
    .default('parley.invalid')
    .describe('Domain of generated email addresses if the host name has no dot.'),
  LOG_PARTITIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1024)
    .default(16)
    .describe(
      'Number of log streams in Redis, the same for all nodes. Choose 128 for a Redis Cluster of more than four masters.',
    ),
  DEVELOPMENT: z
    .enum(['0', '1'])
    .default('0')
    .transform((value) => value === '1')
    .describe('1 allows logins without a password. Never set it in production.'),
};

/** Variables of the services that answer requests. */
export const serverConfig = {
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(600)
    // Longer than a proxy keeps idle connections.
    .default(5)
    .describe('Seconds over which a node that stops answers everybody who is connected.'),
  TRUSTED_PROXIES: Networks.optional().describe(
    'Proxies whose X-Forwarded-For counts. Without it, whoever connects from a private address.',
  ),
};

/** Variables of the services that send mail and of those that ask for it. */
export const mailConfig = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe('URL of the SMTP server, with user and password.'),
  MAIL_FROM: z.string().max(254).optional().describe('Sender of mail. Without it, noreply@ the host name.'),
  MAIL_DIR: z.string().optional().describe('Folder that mail is written to in development without SMTP_URL.'),
};

/** Returns whether mail can be sent, or at least be read where it is written. */
export const canSendMail = (config: {
  SMTP_URL?: string | undefined;
  MAIL_DIR?: string | undefined;
  DEVELOPMENT: boolean;
}): boolean => config.SMTP_URL !== undefined || (config.DEVELOPMENT && config.MAIL_DIR !== undefined);

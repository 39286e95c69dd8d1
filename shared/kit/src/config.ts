import { z } from 'zod';

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
    return `  ${name}: ${message}${purpose ? ` (${purpose})` : ''}`;
  });
  throw new Error(`The configuration has ${mistakes.length} mistake(s):\n${mistakes.join('\n')}`);
}

/** Configuration variables of every service. */
export const commonConfig = {
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(0)
    .describe('port to listen on; 0 picks a free one'),
  HOST: z.string().default('127.0.0.1').describe('address to listen on'),
  DATABASE_URL: z.string().url().describe('Postgres 15 or newer'),
  REDIS_URL: z
    .string()
    .regex(/^rediss?(\+(sentinel|cluster))?:\/\/\S+$/i, 'is not the address of a Redis')
    .describe('Redis 7 or Valkey 7 or newer: a server, sentinels or a cluster'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('how much to log'),
  PARLEY_SECRET: z.string().min(32).describe('server secret; API keys are derived from it'),
  BASE_HOST: z.string().default('localhost').describe('host name whose subdomains are realms'),
  BASE_URL: z.url().default('http://localhost:9991').describe('how the outside reaches the bare host'),
  ROOT_REALM: z.string().default('').describe('realm served at the bare host and at IP addresses'),
  FAKE_EMAIL_DOMAIN: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'is not a domain with a dot')
    .default('parley.invalid')
    .describe('domain of made-up email addresses where the host has no dot'),
  LOG_PARTITIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1024)
    .default(16)
    .describe('log streams; never change it'),
  DEVELOPMENT: z
    .enum(['0', '1'])
    .default('0')
    .transform((value) => value === '1')
    .describe('1 opens development logins; never in production'),
};

/** Variables of the services that answer requests. */
export const drainConfig = {
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(600)
    // Longer than a proxy keeps idle connections.
    .default(5)
    .describe('seconds at its end in which a node answers whoever is connected'),
};

/** Variables of the services that send mail and of those that ask for it. */
export const mailConfig = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe('SMTP server for mail, with user and password'),
  MAIL_FROM: z.string().max(254).optional().describe('sender of mail; else noreply@ the host'),
  MAIL_DIR: z.string().optional().describe('folder that mail is written to, in development without SMTP_URL'),
};

/** Whether mail can be sent, or at least be read where it is written. */
export const canSendMail = (config: {
  SMTP_URL?: string | undefined;
  MAIL_DIR?: string | undefined;
  DEVELOPMENT: boolean;
}): boolean => config.SMTP_URL !== undefined || (config.DEVELOPMENT && config.MAIL_DIR !== undefined);

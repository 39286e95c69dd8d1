import { drainConfig } from '@parley/kit';
import { RateLimitRules } from '@parley/redis';
import { z } from 'zod';

import { JwtSecrets } from './auth/jwt.ts';
import type { SignInOptions } from './auth/sign-in.ts';

function parseJson(text: string, context: z.core.$RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' });
    return z.NEVER;
  }
}

/** A greatest number; 0 in the environment, null in the program, is none. */
const orAny = (preset: number) =>
  z.coerce
    .number()
    .int()
    .min(0)
    .default(preset)
    .transform((max) => (max === 0 ? null : max));

/** Variables that api nodes read beside those of every service. */
export const apiConfig = {
  DATABASE_CONNECTIONS: z.coerce.number().int().min(1).default(8).describe('most connections of each pool'),
  ...drainConfig,
  REQUESTS_AT_ONCE: z.coerce
    .number()
    .int()
    .min(1)
    .default(1000)
    .describe('requests that a node answers at once; more are told to come back'),
  REGISTRATIONS_AT_ONCE: z.coerce.number().int().min(1).default(6).describe('registrations that run at once'),
  REGISTRATIONS_WAITING: z.coerce
    .number()
    .int()
    .min(0)
    .default(500)
    .describe('registrations that may wait; more are told to come back'),
  UPLOAD_QUOTA_MIB: orAny(10_240).describe('MiB of uploads of an organization without its own quota; 0: any'),
  UPLOAD_QUOTA_PER_USER_MIB: orAny(2048).describe('MiB of uploads of each user; 0: any'),
  EXPORT_MESSAGES_MAX: orAny(250_000).describe('messages of an organization that may be exported; 0: any'),
  EXPORT_UPLOADS_GIB_MAX: orAny(20).describe('GiB of uploads of one that may be exported; 0: any'),
  EXPORTS_PER_WEEK: orAny(5).describe('exports that an organization’s administrators begin; 0: any'),
  INVITATIONS_PER_DAY: orAny(1000).describe('invitations by email of an organization in a day; 0: any'),
  LDAP_URL: z
    .url({ protocol: /^ldaps?$/ })
    .optional()
    .describe('directory in which people are looked up who sign in'),
  LDAP_BIND_DN: z.string().optional().describe('account that searches the directory; else nobody’s'),
  LDAP_BIND_PASSWORD: z.string().optional().describe('password of LDAP_BIND_DN'),
  LDAP_BASE_DN: z.string().default('').describe('where in the directory people are'),
  LDAP_FILTER: z
    .string()
    .regex(/\{username\}/, 'lacks {username}')
    .default('(uid={username})')
    .describe('finds somebody by what they type'),
  LDAP_EMAIL: z.string().min(1).default('mail').describe('attribute that has the email address'),
  LDAP_NAME: z.string().min(1).default('cn').describe('attribute that has the name'),
  OIDC_ISSUER: z.url().optional().describe('provider of OpenID Connect at which people sign in'),
  OIDC_CLIENT_ID: z.string().default('').describe('what the provider calls this server'),
  OIDC_CLIENT_SECRET: z.string().default('').describe('secret of OIDC_CLIENT_ID'),
  OIDC_NAME: z.string().min(1).default('single sign-on').describe('what people call the provider'),
  JWT_SECRETS: z
    .string()
    .default('{}')
    .transform(parseJson)
    .pipe(JwtSecrets)
    .describe('JSON of secrets that sign tokens, by organizations’ names'),
  QUEUES_PER_USER: z.coerce.number().int().min(1).default(250).describe('event queues of a user at once'),
  RATE_LIMIT_BY_USER: RateLimitRules.prefault('60:200,3600:2000').describe('seconds:count per account'),
  RATE_LIMIT_BY_ADDRESS: RateLimitRules.prefault('60:100').describe(
    'seconds:count per address, without credentials',
  ),
  RATE_LIMIT_LOGINS: RateLimitRules.prefault('1800:5').describe(
    'seconds:count of login attempts per username, at each address',
  ),
  RATE_LIMIT_LOGINS_BY_ADDRESS: RateLimitRules.prefault('1800:50').describe(
    'seconds:count of failed login attempts per address',
  ),
  RATE_LIMIT_WRONG_KEYS: RateLimitRules.prefault('60:100').describe(
    'seconds:count of wrong API keys per address',
  ),
  RATE_LIMIT_EMAIL_CHANGES: RateLimitRules.prefault('3600:2,86400:5').describe(
    'seconds:count of email changes that an account asks for',
  ),
};

/** The ways to sign in that the environment sets up. */
export const signInOptions = (config: z.output<z.ZodObject<typeof apiConfig>>): SignInOptions => ({
  jwtSecretOf: (realm) => (Object.hasOwn(config.JWT_SECRETS, realm) ? config.JWT_SECRETS[realm] : undefined),
  ldap:
    config.LDAP_URL === undefined
      ? null
      : {
          url: config.LDAP_URL,
          bindDn: config.LDAP_BIND_DN,
          bindPassword: config.LDAP_BIND_PASSWORD,
          baseDn: config.LDAP_BASE_DN,
          filter: config.LDAP_FILTER,
          emailAttribute: config.LDAP_EMAIL,
          nameAttribute: config.LDAP_NAME,
        },
  oidc:
    config.OIDC_ISSUER === undefined
      ? null
      : {
          issuer: config.OIDC_ISSUER,
          clientId: config.OIDC_CLIENT_ID,
          clientSecret: config.OIDC_CLIENT_SECRET,
          name: config.OIDC_NAME,
        },
});

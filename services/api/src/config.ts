import { serverConfig } from '@parley/kit';
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

const DatabaseUrls = z
  .string()
  .transform((list) => list.split(/\s+/).filter((url) => url !== ''))
  .pipe(z.array(z.url({ protocol: /^postgres(ql)?$/, error: 'has to consist of URLs of Postgres' })));

/** Variables that api nodes read beside those of every service. */
export const apiConfig = {
  DATABASE_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(1)
    .default(8)
    .describe('Largest number of connections in each pool.'),
  DATABASE_REPLICAS: DatabaseUrls.default([]).describe(
    'URLs of replicas of Postgres for exact reads, with spaces between them. Without it, all reads are the primary’s.',
  ),
  ...serverConfig,
  REQUESTS_AT_ONCE: z.coerce
    .number()
    .int()
    .min(1)
    .default(1000)
    .describe('Requests that a node handles at once. Others are told to come back later.'),
  REGISTRATIONS_AT_ONCE: z.coerce
    .number()
    .int()
    .min(1)
    .default(6)
    .describe('Registrations that a node handles at once.'),
  REGISTRATIONS_WAITING: z.coerce
    .number()
    .int()
    .min(0)
    .default(500)
    .describe('Registrations that may wait. Others are told to come back later.'),
  SHARED_STATE_MEGABYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(160)
    .describe('Memory for what registrations of all organizations share, in MiB for each node.'),
  UPLOAD_QUOTA_MIB: orAny(10_240).describe(
    'Quota for the uploads of an organization without a quota of its own, in MiB. 0 means no limit.',
  ),
  UPLOAD_QUOTA_PER_USER_MIB: orAny(2048).describe(
    'Quota for the uploads of each user, in MiB. 0 means no limit.',
  ),
  EXPORT_MESSAGES_MAX: orAny(250_000).describe(
    'Largest organization that its administrators may export, in messages. 0 means no limit.',
  ),
  EXPORT_UPLOADS_GIB_MAX: orAny(20).describe('The same limit for its uploads, in GiB. 0 means no limit.'),
  EXPORTS_PER_WEEK: orAny(5).describe(
    'Exports a week that the administrators of an organization may start. 0 means no limit.',
  ),
  IMPORT_ARCHIVE_GIB: z.coerce
    .number()
    .min(0)
    .default(5)
    .transform((gib) => Math.floor(gib * 2 ** 30))
    .describe(
      'Largest archive that owners may import in the web client, in GiB. 0 means that they may import none.',
    ),
  INVITATIONS_PER_DAY: orAny(1000).describe(
    'Invitations a day that an organization may send by email. 0 means no limit.',
  ),
  SERVICE_WORKER: z
    .enum(['0', '1'])
    .default('1')
    .transform((value) => value === '1')
    .describe(
      '0 has browsers remove the service worker of the web client: no page offline, no notifications while none is open.',
    ),
  LDAP_URL: z
    .url({ protocol: /^ldaps?$/ })
    .optional()
    .describe('URL of the LDAP directory that people sign in with.'),
  LDAP_BIND_DN: z
    .string()
    .optional()
    .describe('Account that searches the directory. Without it, the search is anonymous.'),
  LDAP_BIND_PASSWORD: z.string().optional().describe('Password of LDAP_BIND_DN.'),
  LDAP_BASE_DN: z.string().default('').describe('Base of the search for people.'),
  LDAP_FILTER: z
    .string()
    .regex(/\{username\}/, 'lacks {username}')
    .default('(uid={username})')
    .describe('Filter that finds a person by the username that they type.'),
  LDAP_EMAIL: z.string().min(1).default('mail').describe('Attribute with the email address.'),
  LDAP_NAME: z.string().min(1).default('cn').describe('Attribute with the name.'),
  OIDC_ISSUER: z
    .url()
    .optional()
    .describe('Issuer URL of the OpenID Connect provider that people sign in with.'),
  OIDC_CLIENT_ID: z.string().default('').describe('Client id of this server at the provider.'),
  OIDC_CLIENT_SECRET: z.string().default('').describe('Client secret of this server at the provider.'),
  OIDC_NAME: z
    .string()
    .min(1)
    .default('single sign-on')
    .describe('Name of the provider, as shown on the sign-in button.'),
  OIDC_VERIFIES_EMAIL: z
    .enum(['0', '1'])
    .default('0')
    .transform((value) => value === '1')
    .describe('1 for a provider that verifies every address and does not say so (email_verified).'),
  JWT_SECRETS: z
    .string()
    .default('{}')
    .transform(parseJson)
    .pipe(JwtSecrets)
    .describe('Secrets that sign JSON web tokens, as a JSON object from the names of organizations.'),
  JWT_AUDIENCE: z
    .string()
    .min(1)
    .optional()
    .describe('Audience (aud) that JSON web tokens must name. Without it, they may name any.'),
  QUEUES_PER_USER: z.coerce
    .number()
    .int()
    .min(1)
    .default(250)
    .describe('Event queues that a user may have at once.'),
  RATE_LIMIT_BY_USER: RateLimitRules.prefault('60:200,3600:2000').describe(
    'Requests of an account, as seconds:count.',
  ),
  RATE_LIMIT_BY_ADDRESS: RateLimitRules.prefault('60:100').describe(
    'Requests of an address without credentials, as seconds:count. Refused credentials cost two more.',
  ),
  RATE_LIMIT_FILES_BY_USER: RateLimitRules.prefault('60:3000').describe(
    'Files that an account reads, as seconds:count.',
  ),
  // Pictures ask nobody for credentials, and many people may share an address.
  RATE_LIMIT_FILES_BY_ADDRESS: RateLimitRules.prefault('60:6000').describe(
    'Files that an address reads without credentials, as seconds:count.',
  ),
  RATE_LIMIT_LOGINS: RateLimitRules.prefault('1800:5').describe(
    'Login attempts for a username from one address, as seconds:count.',
  ),
  RATE_LIMIT_LOGINS_BY_ADDRESS: RateLimitRules.prefault('1800:50').describe(
    'Failed login attempts of an address, as seconds:count.',
  ),
  RATE_LIMIT_WRONG_KEYS: RateLimitRules.prefault('60:100').describe(
    'Requests of an address with wrong API keys, as seconds:count.',
  ),
  RATE_LIMIT_EMAIL_CHANGES: RateLimitRules.prefault('3600:2,86400:5').describe(
    'Changes of email address that an account may request, as seconds:count.',
  ),
  RATE_LIMIT_PASSWORD_RESETS: RateLimitRules.prefault('3600:2,86400:5').describe(
    'Links to set a new password that may be requested for an account, as seconds:count.',
  ),
  RATE_LIMIT_PASSWORD_RESETS_BY_ADDRESS: RateLimitRules.prefault('3600:10,86400:50').describe(
    'Links to set a new password that an address may request, as seconds:count.',
  ),
};

/** Returns the ways to sign in that the environment sets up. */
export const signInOptions = (config: z.output<z.ZodObject<typeof apiConfig>>): SignInOptions => ({
  jwtSecretOf: (realm) => (Object.hasOwn(config.JWT_SECRETS, realm) ? config.JWT_SECRETS[realm] : undefined),
  jwtAudience: config.JWT_AUDIENCE,
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
          verifiesEmail: config.OIDC_VERIFIES_EMAIL,
        },
});

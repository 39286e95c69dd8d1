import { RateLimitRules } from '@parley/redis';
import { z } from 'zod';

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
  REGISTRATIONS_AT_ONCE: z.coerce
    .number()
    .int()
    .min(1)
    .default(16)
    .describe('registrations that run at once'),
  REGISTRATIONS_WAITING: z.coerce
    .number()
    .int()
    .min(0)
    .default(1000)
    .describe('registrations that may wait; more are told to come back'),
  UPLOAD_QUOTA_MIB: orAny(10_240).describe('MiB of uploads of an organization without its own quota; 0: any'),
  UPLOAD_QUOTA_PER_USER_MIB: orAny(2048).describe('MiB of uploads of each user; 0: any'),
  INVITATIONS_PER_DAY: orAny(1000).describe('invitations by email of an organization in a day; 0: any'),
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

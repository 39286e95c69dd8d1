import { ApiError } from '@parley/protocol';
import type { SharedRateLimiter } from '@parley/redis';

/** Limits how often somebody with an account's API key can guess its password. */
export interface PasswordGuesses {
  /**
   * Counts a guess, and clears the count if it turns out to be right.
   * @throws BAD_REQUEST after too many, and whatever `check` throws
   */
  limit<Checked>(user: { id: number }, check: () => Promise<Checked>): Promise<Checked>;
}

export function createPasswordGuesses(limiter: SharedRateLimiter): PasswordGuesses {
  return {
    async limit(user, check) {
      await limiter.take(user.id).catch((error: unknown) => {
        if (!(error instanceof ApiError) || !('retry-after' in error.extra)) throw error;
        const seconds = Math.ceil(Number(error.extra['retry-after']));
        throw new ApiError('BAD_REQUEST', `Too many attempts. Try again in ${seconds} seconds.`);
      });
      const checked = await check();
      await limiter.forget(user.id);
      return checked;
    },
  };
}

/** Limits how often an account can ask for another email address. */
export interface EmailChangeLimiter {
  /**
   * Counts a request.
   * @throws RATE_LIMIT_HIT after too many
   * @throws BAD_REQUEST on a server that cannot send the mail
   */
  take(user: { id: number }): Promise<void>;
}

interface EmailChangeLimiterDeps {
  canSendMail: boolean;
  limiter: SharedRateLimiter;
}

export function createEmailChangeLimiter({
  canSendMail,
  limiter,
}: EmailChangeLimiterDeps): EmailChangeLimiter {
  return {
    async take(user) {
      if (!canSendMail) {
        const msg = 'This server cannot send email, so email addresses cannot be changed.';
        throw new ApiError('BAD_REQUEST', msg);
      }
      await limiter.take(user.id);
    },
  };
}

/** Limits how often links for forgotten passwords are asked for. */
export interface PasswordResetLimiter {
  /**
   * Counts a request for an email address, whether or not anybody has it, and for the address that it comes from.
   *
   * @throws RATE_LIMIT_HIT after too many
   * @throws BAD_REQUEST on a server that cannot send the mail
   */
  take(place: { realm: { id: number }; address: string; email: string }): Promise<void>;
}

interface PasswordResetLimiterDeps {
  canSendMail: boolean;
  byEmail: SharedRateLimiter;
  byAddress: SharedRateLimiter;
}

export function createPasswordResetLimiter({
  canSendMail,
  byEmail,
  byAddress,
}: PasswordResetLimiterDeps): PasswordResetLimiter {
  return {
    async take({ realm, address, email }) {
      if (!canSendMail) {
        const msg = 'This server cannot send email. Ask an administrator for a new password.';
        throw new ApiError('BAD_REQUEST', msg);
      }
      await byAddress.take(address);
      await byEmail.take(`${realm.id}:${email.toLowerCase()}`);
    },
  };
}

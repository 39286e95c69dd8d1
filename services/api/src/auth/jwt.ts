import { ApiError } from '@parley/protocol';
import { errors, jwtVerify } from 'jose';
import { z } from 'zod';

import { claimText } from './claims.ts';

/** Secrets by the names of organizations. */
export const JwtSecrets = z.record(z.string(), z.string().min(32));

const Claims = z.object({ email: claimText(254) });

/**
 * Returns the email address in a JSON web token (HS256). A token that says when it begins or ends is valid only then, and
 * one that is for an audience only there.
 *
 * @throws AUTHENTICATION_FAILED for a token with another signature, out of its time, or for somebody else
 * @throws BAD_REQUEST for a token without an address
 */
export async function verifyJwt(
  token: string,
  { secret, audience }: { secret: string; audience: string | undefined },
): Promise<string> {
  const key = new TextEncoder().encode(secret);
  const options = { algorithms: ['HS256'], ...(audience !== undefined && { audience }) };
  const { payload } = await jwtVerify(token, key, options).catch((error: unknown) => {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw new ApiError('AUTHENTICATION_FAILED', 'This JSON web token is not valid.');
  });
  const claims = Claims.safeParse(payload);
  if (!claims.success) {
    throw new ApiError('BAD_REQUEST', 'This JSON web token has no email address.');
  }
  return claims.data.email;
}

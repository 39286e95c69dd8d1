import { ApiError } from '@parley/protocol';
import { errors, jwtVerify } from 'jose';
import { z } from 'zod';

/** Secrets by the names of organizations. */
export const JwtSecrets = z.record(z.string(), z.string().min(32));

const Claims = z.object({ email: z.string().min(1).max(254) });

/**
 * Returns the email address in a JSON web token (HS256). A token that says when it begins or ends is valid only then.
 *
 * @throws AUTHENTICATION_FAILED for a token with another signature, or out of its time
 * @throws BAD_REQUEST for a token without an address
 */
export async function verifyJwt(token: string, secret: string): Promise<string> {
  const key = new TextEncoder().encode(secret);
  const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] }).catch((error: unknown) => {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw new ApiError('AUTHENTICATION_FAILED', 'This JSON web token is not valid.');
  });
  const claims = Claims.safeParse(payload);
  if (!claims.success) {
    throw new ApiError('BAD_REQUEST', 'This JSON web token has no email address.');
  }
  return claims.data.email;
}

import { createHmac } from 'node:crypto';

import { type Secrets, isMadeWith } from '@parley/kit';
import { fileTimes } from '@parley/protocol';

/** Paths that open one upload to whoever has them, for one minute. The server secret signs them. */
export interface TemporaryPaths {
  sign(pathId: string, nowMs: number): string;
  /** Says whether a signature belongs to this upload and is not too old. */
  verify(pathId: string, signature: string, nowMs: number): boolean;
}

export function createTemporaryPaths(secrets: Secrets): TemporaryPaths {
  const macOf = (secret: string, pathId: string, untilMs: string) =>
    createHmac('sha256', secret).update(`temporary-upload:${untilMs}:${pathId}`).digest('base64url');

  return {
    sign(pathId, nowMs) {
      const until = String(nowMs + fileTimes.temporaryUrlMs);
      return `/user_uploads/temporary/${until}.${macOf(secrets[0], pathId, until)}/${pathId}`;
    },
    verify(pathId, signature, nowMs) {
      const [until = '', mac = ''] = signature.split('.');
      return isMadeWith(secrets, mac, (secret) => macOf(secret, pathId, until)) && nowMs <= Number(until);
    },
  };
}

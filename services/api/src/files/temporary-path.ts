import { createHmac } from 'node:crypto';

import { sameKey } from '@parley/http';
import { fileTimes } from '@parley/protocol';

/** Paths that open one upload to whoever has them, for a minute: signed with the server secret, stored nowhere. */
export interface TemporaryPaths {
  sign(pathId: string, nowMs: number): string;
  /** Whether a signature is of this upload and not too old. */
  verify(pathId: string, signature: string, nowMs: number): boolean;
}

export function createTemporaryPaths(secret: string): TemporaryPaths {
  const macOf = (pathId: string, untilMs: string) =>
    createHmac('sha256', secret).update(`temporary-upload:${untilMs}:${pathId}`).digest('base64url');

  return {
    sign(pathId, nowMs) {
      const until = String(nowMs + fileTimes.temporaryUrlMs);
      return `/user_uploads/temporary/${until}.${macOf(pathId, until)}/${pathId}`;
    },
    verify(pathId, signature, nowMs) {
      const [until = '', mac = ''] = signature.split('.');
      return sameKey(mac, macOf(pathId, until)) && nowMs <= Number(until);
    },
  };
}

import { createHmac } from 'node:crypto';

import { sameKey } from '@parley/http';
import { fileTimes } from '@parley/protocol';

/** Paths that open one upload to whoever has them, for one minute. The server secret signs them. */
export interface TemporaryPaths {
  sign(pathId: string, nowMs: number): string;
  /** Says whether a signature belongs to this upload and is not too old. */
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

import type { Clock } from '@parley/kit';

import type { Signer } from './signer.ts';

/** What the signatures of operators are for. */
export const operatorScopes = { token: 'operator token', session: 'operator session' } as const;

const tokenMinutes = 10;

/** Creates a token that signs an operator in, as often as wanted until it ends. */
export function createOperatorToken(signer: Signer, clock: Clock): { token: string; endsAt: Date } {
  const endsAt = new Date(clock.nowMs() + tokenMinutes * 60_000);
  return { token: signer.sign(operatorScopes.token, `${endsAt.getTime()}`), endsAt };
}

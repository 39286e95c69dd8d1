import { type Logger, backoffMs, pause } from '@parley/kit';
import type { Audiences } from '@parley/log';

import { missingAudiences } from '../core/missing-audiences.ts';
import type { ReadyEntry } from '../core/ready-entry.ts';

/** Loads the audiences of a run. It tries until it succeeds, or nobody needs them: an entry must not pass anyone over. */
export async function loadAudiences(run: readonly ReadyEntry[], deps: LoadAudiencesDeps): Promise<void> {
  const { realm, audiences, logger, signal, isNeeded } = deps;
  for (let failures = 0; isNeeded() && !signal.aborted; failures += 1) {
    try {
      await audiences.load(missingAudiences(run, audiences), realm.id);
      return;
    } catch (error) {
      logger.warn({ err: error, realmId: realm.id, head: realm.ring.head }, 'cannot load an audience');
      await pause(backoffMs(failures, { firstMs: 50, maxMs: 1000 }), signal);
    }
  }
}

interface LoadAudiencesDeps {
  realm: { readonly id: number; readonly ring: { readonly head: number } };
  audiences: Audiences;
  logger: Logger;
  signal: AbortSignal;
  readonly isNeeded: () => boolean;
}

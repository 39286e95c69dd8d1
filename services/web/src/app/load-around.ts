import { delayMs, pause } from '@parley/client';
import { effect, signal } from '@preact/signals';

import { onceDone } from '../base/functions/once.ts';
import { isFirstLookOver } from '../data/live/first-look.ts';
import { session } from '../data/session/session.ts';
import type * as parts from './around.ts';

type Around = typeof parts;

const loaded = signal<Around | null>(null);

/** What is around the messages; null until it is there. Whatever renders with it is rendered again then. */
export const around = (): Around | null => loaded.value;

/** Loads what is around the messages. */
export const loadAround = onceDone(async () => {
  const came = await import('./around.ts');
  came.runServiceWorker();
  came.followSession();
  loaded.value = came;
  return came;
});

/** Loads what is around the messages when these are there, or nobody is signed in; and tries again as long as there is no network. */
export function loadAroundLater(): void {
  effect(() => {
    if (isFirstLookOver.value || session.value.kind === 'signed-out') void loadAgainAndAgain();
  });
}

async function loadAgainAndAgain(): Promise<void> {
  for (let failed = 0; loaded.peek() === null; failed += 1) {
    await loadAround().catch((error: unknown) => pause(delayMs(failed, error)));
  }
}

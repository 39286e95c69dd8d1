import type { State } from '@parley/client';
import { useEffect } from 'preact/hooks';

import { showError } from '../../base/toasts/toasts.tsx';
import { client } from '../../data/live/follow.ts';
import { slice } from '../../data/live/state.ts';

type Listed = 'invites' | 'exports' | 'consents';

/**
 * Loads a list that a registration does not contain when it is shown, and again when an event says that it changed. It is
 * null until it has been loaded.
 */
export function useListed<Name extends Listed>(name: Name, fetch: () => Promise<State[Name]>): State[Name] {
  useEffect(() => {
    const following = client();
    if (!following) return undefined;
    let [isBusy, isStale, isMerging] = [false, false, false];

    async function load(): Promise<void> {
      isBusy = true;
      try {
        do {
          isStale = false;
          // One after another: an answer from before an event is old.
          // oxlint-disable-next-line no-await-in-loop
          const answered = await fetch();
          if (!isStale) merge(answered);
        } while (isStale);
      } catch (error) {
        showError(error);
      } finally {
        isBusy = false;
      }
    }

    function merge(answered: State[Name]): void {
      isMerging = true;
      following?.merge((state, { slices }) => {
        state[name] = answered;
        slices.add(name);
      });
      isMerging = false;
    }

    void load();
    return following.subscribe(({ state, changes, isNew }) => {
      if (isMerging || !(isNew || changes.slices.has(name))) return;
      if (isBusy) isStale = true;
      else if (state[name] === null) void load();
    });
  }, []);
  return slice(name);
}

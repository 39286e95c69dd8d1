import type { State } from '@parley/client';
import { useEffect } from 'preact/hooks';

import { client } from '../live/follow.ts';
import { part } from '../live/state.ts';
import { tellError } from '../shell/toasts.tsx';

type Listed = 'invites' | 'exports' | 'consents';

/**
 * A list that registering does not bring: asked for when it is shown, and again when an event says no more than that it
 * is another. Null until it is there.
 */
export function useListed<Name extends Listed>(name: Name, fetch: () => Promise<State[Name]>): State[Name] {
  useEffect(() => {
    const following = client();
    if (!following) return undefined;
    let [isBusy, isStale, isLearning] = [false, false, false];

    async function load(): Promise<void> {
      isBusy = true;
      try {
        do {
          isStale = false;
          // One after another: an answer from before an event is old.
          // oxlint-disable-next-line no-await-in-loop
          const answered = await fetch();
          if (!isStale) learn(answered);
        } while (isStale);
      } catch (error) {
        tellError(error);
      } finally {
        isBusy = false;
      }
    }

    function learn(answered: State[Name]): void {
      isLearning = true;
      following?.learn((state, { parts }) => {
        state[name] = answered;
        parts.add(name);
      });
      isLearning = false;
    }

    void load();
    return following.subscribe(({ state, changes, isNew }) => {
      if (isLearning || !(isNew || changes.parts.has(name))) return;
      if (isBusy) isStale = true;
      else if (state[name] === null) void load();
    });
  }, []);
  return part(name);
}

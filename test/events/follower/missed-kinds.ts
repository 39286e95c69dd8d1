import { isDeepStrictEqual } from 'node:util';

import { type State, kindOf, noChanges, derive } from '@parley/client';

import type { Event } from '../../support/index.ts';
import { applyKnown } from './follow.ts';
import { shown } from './shown.ts';

/**
 * The kinds of events without which a client would end elsewhere: each left out in turn. One that nobody would miss is
 * not needed, or not looked at.
 */
export function missedKinds(before: State, events: Event[]): Set<string> {
  const play = (heard: Event[]): State | null => {
    const state = structuredClone(before);
    const changes = noChanges();
    try {
      for (const event of heard) applyKnown(state, event, changes);
      derive(state, changes);
      return shown(state);
    } catch {
      // What comes later speaks of things that the client was never told of.
      return null;
    }
  };
  const whole = play(events);
  const kinds = [...new Set(events.map(kindOf))];
  return new Set(
    kinds.filter((kind) => !isDeepStrictEqual(play(events.filter((event) => kindOf(event) !== kind)), whole)),
  );
}

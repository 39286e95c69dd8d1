import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Connection } from '../connection/connect.ts';
import { RequestFailed, Unreachable } from '../connection/errors.ts';
import { emptyState } from '../state/state.test-support.ts';
import { createOutbox } from './outbox.ts';

const toTopic = { channelId: 1, topic: 'lunch' };

/** An outbox whose sends fail as long as there is an error. */
function outboxWith(first: Error | null) {
  let [error, posts] = [first, 0];
  const post = async () => {
    posts += 1;
    if (error) throw error;
    return { id: 7 };
  };
  const connection = { post } as unknown as Connection;
  const outbox = createOutbox({ connection, state: emptyState, queueId: () => 'q' });
  const states = () => [...outbox.pending.values()].map(({ state }) => state);
  return { outbox, states, count: () => posts, mend: () => (error = null) };
}

const settle = () => vi.advanceTimersByTimeAsync(0);
const anHour = 3_600_000;

describe('a message that finds no server', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('has failed after some tries, and is sent when the server can be reached again', async () => {
    const { outbox, states, count, mend } = outboxWith(new Unreachable(null));
    outbox.send(toTopic, 'a');
    await vi.advanceTimersByTimeAsync(anHour);
    expect(states()).toEqual(['failed']);
    const tries = count();
    expect(tries).toBeLessThan(20);
    mend();
    outbox.wake();
    await settle();
    expect([states(), count()]).toEqual([['sent'], tries + 1]);
  });

  test('is sent at once then, also while it waits for its next try', async () => {
    const { outbox, states, mend } = outboxWith(new Unreachable(null));
    outbox.send(toTopic, 'a');
    await settle();
    expect(states()).toEqual(['sending']);
    mend();
    outbox.wake();
    await settle();
    expect(states()).toEqual(['sent']);
  });

  test('is not sent again if the server has refused it', async () => {
    const { outbox, states, count, mend } = outboxWith(new RequestFailed(400, {}, null));
    outbox.send(toTopic, 'a');
    await settle();
    expect(states()).toEqual(['failed']);
    mend();
    outbox.wake();
    await vi.advanceTimersByTimeAsync(anHour);
    expect([states(), count()]).toEqual([['failed'], 1]);
  });
});

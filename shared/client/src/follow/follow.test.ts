import { expect, test, vi } from 'vitest';

import { pause } from '../connection/backoff.ts';
import { connect } from '../connection/connect.ts';
import { emptyState } from '../state/state.test-support.ts';
import { type Status, follow } from './follow.ts';

const registered = {
  result: 'success',
  msg: '',
  queue_id: 'q',
  last_event_id: 0,
  ...Object.fromEntries(
    [
      'realm_users',
      'realm_non_active_users',
      'realm_user_groups',
      'streams',
      'subscriptions',
      'unsubscribed',
      'never_subscribed',
      'starred_messages',
      'recent_private_conversations',
      'drafts',
      'saved_snippets',
      'scheduled_messages',
      'reminders',
      'navigation_views',
    ].map((name) => [name, []]),
  ),
  ...emptyState().own,
  user_status: {},
  max_message_id: null,
  unread_msgs: { pms: [], streams: [], huddles: [], mentions: [] },
};

/** A server that answers polls that do not wait, and lets those that wait hang for ever. */
function hanging() {
  const polls: { isCheck: boolean; isGivenUp: boolean }[] = [];
  const statuses: Status[] = [];
  let isAway = false;
  const fetch = async (input: unknown, { signal, method }: RequestInit = {}) => {
    if (method === 'POST') return Response.json(registered);
    if (method === 'DELETE') return Response.json({ result: 'success', msg: '' });
    const poll = { isCheck: String(input).includes('dont_block=true'), isGivenUp: false };
    polls.push(poll);
    if (isAway) throw new TypeError('fetch failed');
    if (poll.isCheck) return Response.json({ result: 'success', msg: '', events: [] });
    return await new Promise<Response>((_, reject) => {
      signal?.addEventListener('abort', () => {
        poll.isGivenUp = true;
        reject(signal.reason as Error);
      });
    });
  };
  const connection = connect({ baseUrl: '', credentials: 'none', fetch });
  const following = follow(connection, { onStatus: (status) => statuses.push(status) });
  return { following, polls, statuses, setAway: (away: boolean) => (isAway = away) };
}

test('a poll that hangs is aborted for one that is answered at once, and then the next one waits', async () => {
  const { following, polls, statuses } = hanging();
  const state = await following.started;
  await vi.waitUntil(() => polls.length === 1, { timeout: 60_000 });
  following.retryNow();
  await vi.waitUntil(() => polls.length === 3, { timeout: 60_000 });
  expect(polls).toEqual([
    { isCheck: false, isGivenUp: true },
    { isCheck: true, isGivenUp: false },
    { isCheck: false, isGivenUp: false },
  ]);
  expect([following.state === state, following.queueId, statuses]).toEqual([true, 'q', ['online']]);
  await following.stop();
});

test('whoever is offline is so until the server has answered', async () => {
  const { following, polls, statuses, setAway } = hanging();
  await following.started;
  await vi.waitUntil(() => polls.length === 1, { timeout: 60_000 });
  setAway(true);
  following.retryNow();
  await vi.waitUntil(() => following.status === 'offline', { timeout: 60_000 });
  // Somebody opens the page again and again, whether or not it waits before its next try.
  await vi.waitUntil(
    () => {
      following.retryNow();
      return polls.length >= 3;
    },
    { timeout: 60_000 },
  );
  setAway(false);
  await vi.waitUntil(
    () => {
      following.retryNow();
      return following.status === 'online';
    },
    { timeout: 60_000 },
  );
  expect(statuses).toEqual(['online', 'offline', 'online']);
  expect(polls.slice(1, 4).map(({ isCheck }) => isCheck)).toEqual([true, true, true]);
  await following.stop();
});

test('what happens while a client rests after an answer is asked for together, or at once by whoever does not want to wait', async () => {
  vi.useFakeTimers();
  try {
    const polls: string[] = [];
    const changed: number[] = [];
    const fetch = async (input: unknown, { method }: RequestInit = {}) => {
      if (method === 'POST') return Response.json(registered);
      if (method === 'DELETE') return Response.json({ result: 'success', msg: '' });
      polls.push(new URL(String(input), 'http://host').searchParams.get('last_event_id') ?? '');
      const id = polls.length * 10;
      return Response.json({ result: 'success', msg: '', events: [{ id, type: 'heartbeat' }] });
    };
    const connection = connect({ baseUrl: '', credentials: 'none', fetch });
    const following = follow(connection, {
      gather: (signal) => pause(100, signal),
      onChanges: (_, __, events) => changed.push(events.length),
    });
    await following.started;
    await vi.advanceTimersByTimeAsync(99);
    expect(polls).toEqual(['0']);
    await vi.advanceTimersByTimeAsync(1);
    expect([polls, changed]).toEqual([
      ['0', '10'],
      [1, 1],
    ]);
    following.retryNow();
    await vi.advanceTimersByTimeAsync(0);
    expect(polls).toEqual(['0', '10', '20']);
    await following.stop();
  } finally {
    vi.useRealTimers();
  }
});

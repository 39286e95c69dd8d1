import { expect, test } from 'vitest';

import { createEphemerals } from '../core/ephemerals.ts';
import {
  createPoll,
  entryOf,
  limits,
  noteOf,
  queueOf,
  readEntry,
  sets,
} from '../core/fixtures.test-support.ts';
import { createPolls } from '../core/polls.ts';
import { createRing } from '../core/ring.ts';
import { deliverRuns } from './deliver-runs.ts';

/** A node where polls of users 10 and 11 wait for the same log. */
function openNode() {
  const done: string[] = [];
  const polls = createPolls<string>({
    sets,
    limits,
    nowMs: 0,
    onRoomWanted: () => {},
    answer: (reply, _, lines) => void done.push(`${reply} has ${lines.length}`),
  });
  const ring = createRing(0, limits);
  for (const userId of [10, 11]) {
    const queue = queueOf({ id: `q${userId}`, userId });
    polls.open(
      createPoll({ queue, lastEventId: -1, reply: `${userId}`, dueMs: 1000, log: ring, slot: null }),
      [],
    );
  }
  const listener = deliverRuns({
    credentials: {
      find: () => Promise.reject(new Error('Nobody asks.')),
      isCurrent: () => false,
      revoke: (ids) => void done.push(`revoked ${ids.join(' ')}`),
    },
    polls,
    handle: (reply) => void done.push(`${reply} again, ${polls.size} wait`),
  });
  const realm = { id: 1, epoch: 'e', ring, ephemerals: createEphemerals() };
  return { done, listener, realm };
}

test('polls of whom an entry revokes are handled again before it is delivered to them', () => {
  const { done, listener, realm } = openNode();
  const revoking = { ...entryOf(2, { users: [10, 11] }, { type: 'note', n: 2 }), revokes: [10] };
  const run = [noteOf(1, [10, 11]), revoking].map(readEntry.logged);
  realm.ring.append(run);
  listener.onRun(realm, run);
  expect(done).toEqual(['revoked 10', '11 has 2', '10 again, 0 wait']);
});

test('the last entry of a realm reaches whoever waits, and then everyone is handled again', () => {
  const { done, listener, realm } = openNode();
  const last = { ...entryOf(2, { users: [11] }, { type: 'realm', op: 'deactivated' }), revokes: [10, 11] };
  const run = [{ ...entryOf(1, { users: [11] }, { type: 'note', n: 1 }), revokes: [] }, last].map(
    readEntry.logged,
  );
  realm.ring.append(run);
  listener.onRun(realm, run);
  expect(done).toEqual(['revoked ', '11 has 1', 'revoked 10 11', '10 again, 0 wait']);
});

test('no other entry is the last of a realm', () => {
  const { done, listener, realm } = openNode();
  const events = [
    { type: 'realm', op: 'update' },
    { type: 'note', op: 'deactivated' },
  ];
  const run = events.map((event, index) =>
    readEntry.logged({ ...entryOf(index + 1, { users: [11] }, event), revokes: [10] }),
  );
  realm.ring.append(run);
  listener.onRun(realm, run);
  expect(done, 'the poll of user 11 goes on waiting').toEqual(['revoked 10 10', '10 again, 1 wait']);
});

test('polls of a lost realm wait no more, and are handled again', () => {
  const { done, listener } = openNode();
  listener.onLost(2);
  expect(done).toEqual([]);
  listener.onLost(1);
  expect(done).toEqual(['10 again, 0 wait', '11 again, 0 wait']);
});

import { describe, expect, test } from 'vitest';

import { apply, applyToMessages } from './apply.ts';
import { noChanges } from './changes.ts';
import { unreadAmong, unreadInAll, unreadInChannel, unreadInTopic } from './counts.ts';
import type { AnyEvent } from './event.ts';
import { emptyState, messageEvent, moveEvent } from './state.test-support.ts';

function applied(state: ReturnType<typeof emptyState>, ...events: AnyEvent[]) {
  const changes = noChanges();
  for (const event of events) apply(state, event, changes);
  return changes;
}

describe('events', () => {
  test('say which parts they changed, and which messages', () => {
    const changes = applied(emptyState(), messageEvent(7));
    expect([...changes.slices].sort()).toEqual(['maxMessageId', 'messages', 'unread']);
    expect([...changes.messages]).toEqual([7]);
  });

  test('put other records in the place of those that they change', () => {
    const state = emptyState();
    applied(state, messageEvent(7));
    const before = state.messages.get(7);
    applied(state, {
      id: 1,
      type: 'update_message_flags',
      op: 'add',
      flag: 'read',
      messages: [7],
      all: false,
    });
    expect(before?.flags).toEqual([]);
    expect(state.messages.get(7)?.flags).toEqual(['read']);
  });

  test('policies of topics are heard one by one, also by clients that were given the list of muted ones', () => {
    const event = (visibility_policy: number): AnyEvent => ({
      id: 1,
      type: 'user_topic',
      stream_id: 1,
      topic_name: 'Tea',
      last_updated: 5,
      visibility_policy,
    });
    const state = emptyState({ user_topics: [], muted_topics: [] });
    applied(state, event(3));
    expect([...state.topics.keys()]).toEqual(['1 tea']);
    applied(state, event(0));
    expect(state.topics.size).toBe(0);
  });

  test('unknown events change nothing, and apply returns false', () => {
    const changes = noChanges();
    expect(apply(emptyState(), { id: 1, type: 'of_tomorrow', what: 1 }, changes)).toBe(false);
    expect(changes).toEqual(noChanges());
  });

  test('events about unknown records are errors', () => {
    const event = { id: 1, type: 'drafts', op: 'remove', draft_id: 3 };
    expect(() => apply(emptyState(), event, noChanges())).toThrow('does not know');
  });
});

describe('what is unread', () => {
  test('is counted by topic, channel and conversation, and moves with its messages', () => {
    const state = emptyState();
    applied(
      state,
      messageEvent(1, { channel: 1, topic: 'Tea' }),
      messageEvent(2, { channel: 1, topic: 'tea' }),
      messageEvent(3, { people: [1, 2] }),
    );
    expect([unreadInTopic(state, 1, 'TEA'), unreadInChannel(state, 1), unreadAmong(state, [2])]).toEqual([
      2, 2, 1,
    ]);
    applied(state, moveEvent([1], 'cake', 'tea'));
    expect([unreadInTopic(state, 1, 'tea'), unreadInTopic(state, 1, 'cake')]).toEqual([1, 1]);
    applied(state, { id: 9, type: 'delete_message', message_ids: [2], message_type: 'stream' });
    expect([unreadInChannel(state, 1), unreadInAll(state)]).toEqual([1, 2]);
    applied(state, {
      id: 10,
      type: 'update_message_flags',
      op: 'add',
      flag: 'read',
      messages: [],
      all: true,
    });
    expect([unreadInChannel(state, 1), unreadInAll(state), state.unread.at.size]).toEqual([0, 0, 0]);
  });

  test('includes messages that the client has not loaded', () => {
    const place = { stream_id: 1, topic: 't', unread_message_ids: [4, 5] };
    const unread_msgs = { pms: [], streams: [place], huddles: [], mentions: [] };
    const state = emptyState({ unread_msgs });
    applied(state, moveEvent([4, 5], 'cake'));
    expect([state.messages.size, unreadInTopic(state, 1, 'cake')]).toEqual([0, 2]);
  });
});

describe('what cannot be derived is asked for', () => {
  test('messages that came from elsewhere are asked for', () => {
    const { questions } = applied(emptyState(), moveEvent([4], 'Cake'), {
      ...moveEvent([5], 'cake'),
      new_stream_id: 2,
    });
    expect([...questions.moved]).toEqual([
      [4, 'channel 1, cake'],
      [5, 'channel 2, cake'],
    ]);
    expect([...questions.messages]).toEqual([5]);
  });

  test('a conversation whose newest message is gone is asked for', () => {
    const state = emptyState();
    applied(state, messageEvent(3, { people: [1, 2] }), messageEvent(4, { people: [1, 2] }));
    const gone = { id: 9, type: 'delete_message', message_type: 'private' };
    expect(applied(state, { ...gone, message_ids: [3] }).questions.conversations.size).toBe(0);
    expect([...applied(state, { ...gone, message_ids: [4] }).questions.conversations]).toEqual(['people 2']);
  });
});

test.each([
  ['t', '✔ t', false],
  ['✔ t', 't', false],
  ['✔ ✔ t', 't', false],
  ['✔ t', 'T', true],
  ['', '✔ ', true],
])('whether a change of topic from %j to %j is more than a resolution: %s', (from, to, isMoved) => {
  const state = emptyState();
  applied(state, messageEvent(1, { channel: 1, topic: from }), moveEvent([1], to, from));
  expect(state.messages.get(1)?.last_moved_timestamp !== undefined).toBe(isMoved);
});

test('an edit that a page has seen already is recorded once, and equal ones that came as often as they came', () => {
  const state = emptyState();
  const there = moveEvent([4], 'cake');
  applied(state, messageEvent(4), there, moveEvent([4], 't', 'cake'), there);
  expect(state.messages.get(4)?.edit_history).toHaveLength(3);
  applyToMessages(state.messages, there, { ...noChanges(), isReplay: true });
  expect(state.messages.get(4)?.edit_history).toHaveLength(3);
});

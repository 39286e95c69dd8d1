import { beforeAll, describe, expect, test } from 'vitest';

import { type Person, idsOf, realm, say, subscribe } from '../../support/index.ts';
import { ofRequest, sumOf } from './buffers.ts';
import { fill, runUncounted, turnVacuumOff } from './data-set.ts';

/** More than a page of what is asked for takes, and a small part of all messages. */
const buffersMax = 1000;

describe('among two channels of very many messages, a page reads no more than it needs of', () => {
  let alice: Person;
  let bob: Person;
  beforeAll(async () => {
    ({ alice, bob } = await realm());
    await runUncounted(async (sql) => {
      await turnVacuumOff(sql);
      const size = { users: 20, channels: 2, topicsPerChannel: 2, directs: 1, messages: 60_000 };
      await fill(sql, 0, [{ realmId: alice.realm.id, readerId: alice.id }], size);
    });
    await subscribe(alice, 'general', [alice, bob]);
    for (let number = 0; number < 10; number += 1) {
      await say(alice, 'general', 't', `message ${number}`);
      await alice.ask('POST', '/messages', { type: 'direct', to: idsOf([bob]), content: `to bob ${number}` });
    }
    await runUncounted((sql) => sql`vacuum analyze`);
  });

  test.each([
    ['a channel with few', () => [['channel', 'general']], 10],
    [
      'a topic with few',
      () => [
        ['channel', 'general'],
        ['topic', 't'],
      ],
      10,
    ],
    ['a conversation with few', () => [['dm', idsOf([bob])]], 10],
    ['somebody who has said little', () => [['sender', alice.id]], 20],
  ])('%s', async (_, narrow, found) => {
    const asked = { anchor: 'newest', num_before: 50, num_after: 0, narrow: narrow() };
    const { body, buffers } = await ofRequest(alice, 'GET', '/messages', asked);
    expect(body['messages']).toHaveLength(found);
    expect(sumOf(buffers)).toBeLessThan(buffersMax);
  });
});

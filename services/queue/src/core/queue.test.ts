import { Client } from '@parley/protocol';
import { expect, test } from 'vitest';

import { queueOf } from './fixtures.test-support.ts';

test('a queue whose client asked for it receives every public channel', () => {
  expect(queueOf({ allPublicStreams: true }).receivesAllPublic).toBe(true);
  expect(queueOf({}).receivesAllPublic).toBe(false);
});

test('queues keep their own values, and share equal ones', () => {
  const text = (value: string) => Buffer.from(value).toString();
  const of = (realm: string) =>
    queueOf({ realm: text(realm), epoch: text('e'), client: Client.parse({ apply_markdown: true }) });
  const [one, two, other] = [of('zed'), of('zed'), of('yod')];
  expect([one.realm, two.realm, other.realm, one.epoch]).toEqual(['zed', 'zed', 'yod', 'e']);
  expect(one.client).toBe(two.client);
  expect(one.client.apply_markdown).toBe(true);
  expect(one.clientKey).not.toBe(queueOf({}).clientKey);
  expect(queueOf({ narrow: [] }).narrow).toBe(queueOf({}).narrow);
  expect(queueOf({ narrow: [['is', 'starred']] }).narrow).toEqual([['is', 'starred']]);
  expect(queueOf({}).narrow).toEqual([]);
});

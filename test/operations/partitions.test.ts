import { expect, test } from 'vitest';

import { type Person, emptyChannel, getWorld, realm } from '../support/index.ts';

/** Starts to listen at a queue node that may have another number of partitions. */
async function listenAt(person: Person, port: number) {
  const { queue_id: queueId, last_event_id: lastEventId } = (
    await person.ask('POST', '/register', { event_types: ['message'] })
  ).body;
  let last: number = lastEventId;
  return {
    /** What is said next, as it is heard. */
    async next(): Promise<string> {
      for (;;) {
        const reply = await person.ask(
          'GET',
          '/events',
          { queue_id: queueId, last_event_id: last },
          { port },
        );
        expect(reply.body).toMatchObject({ result: 'success' });
        for (const { id, type, message } of reply.body.events) {
          last = id;
          if (type === 'message') return message.content;
        }
      }
    },
  };
}

test('The number of partitions can be changed one node after the other: whatever is sent meanwhile is heard once, in order.', async () => {
  const world = await getWorld();
  const others = { partitions: world.partitions * 8 + 1 };
  await using api = await world.startApi(others);
  await using queue = await world.startQueue(others);
  const { alice, bob } = await realm();
  await emptyChannel(alice, 'hall', [alice, bob]);
  const listeners = [await listenAt(bob, world.ports.queue), await listenAt(bob, queue.port)];
  const heard = listeners.map((): string[] => []);
  const sent: string[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    for (const port of [world.ports.api, api.port]) {
      const content = `${turn} by way of ${port === api.port ? 'new' : 'old'}`;
      const message = { type: 'channel', to: 'hall', topic: 't', content };
      expect((await alice.ask('POST', '/messages', message, { port })).body).toMatchObject({
        result: 'success',
      });
      sent.push(content);
      for (const [at, listener] of listeners.entries()) heard[at]?.push(await listener.next());
    }
  }
  expect(heard.map((each) => each.map((html) => html.replace(/<\/?p>/g, '')))).toEqual([sent, sent]);
});

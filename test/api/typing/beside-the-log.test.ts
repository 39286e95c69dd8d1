import { describe, expect, test } from 'vitest';

import { done, getWorld, newest, realm, tell } from '../../support/index.ts';
import { hearsNothing, listen, present, type } from './listen.ts';

test('an ephemeral event is heard by a client whose first question comes a moment later', async () => {
  const { alice, bob } = await realm();
  const listener = await bob.listen({ event_types: ['typing'], client_capabilities: newest });
  await alice.post('/typing', { op: 'start', to: [bob.id] });
  expect((await listener.poll()).events).toMatchObject([{ type: 'typing', sender: present(alice) }]);
});

describe('what is said beside the log', () => {
  test('is heard once, whichever node is asked', async () => {
    const { alice, bob } = await realm();
    const phone = await listen(bob);
    await using other = await (await getWorld()).startQueue();
    const ask = async (port?: number) => {
      const params = { queue_id: phone.queueId, last_event_id: phone.lastEventId, dont_block: true };
      const { body } = await bob.ask('GET', '/events', params, port === undefined ? {} : { port });
      return body.events;
    };
    await ask(other.port);
    await type(alice, 'start', { to: [bob.id] });
    const [event] = await phone.waits();
    expect(await ask(other.port)).toEqual([]);
    expect(await ask()).toEqual([]);

    await tell(alice, [bob]);
    const marker = await type(alice, 'stop', { to: [bob.id] });
    expect(marker).toEqual(done);
    const all = await phone.waits();
    expect(all.map(({ op }) => op)).toEqual(['stop']);
    expect(all[0]?.id).toBeGreaterThan(event?.id ?? Infinity);
    // A lost reply: the other node gives it again, in the same place.
    phone.lastEventId = event?.id ?? 0;
    expect(await ask(other.port)).toEqual(all);
  });

  test('comes in the order in which it was said, between the messages', async () => {
    const { alice, bob } = await realm();
    const phone = await listen(bob, { event_types: ['typing', 'message'] });
    const said: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      for (const op of ['start', 'stop']) {
        await type(alice, op, { to: [bob.id] });
        said.push(op);
      }
      await tell(alice, [bob]);
      said.push('message');
    }
    const heard: string[] = [];
    const ids: number[] = [];
    while (heard.filter((kind) => kind === 'message').length < 5) {
      for (const { id, op, type: kind } of await phone.waits()) {
        heard.push(op ?? kind);
        ids.push(id);
      }
    }
    expect(heard).toEqual(said);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  test('is not heard by who registers after it', async () => {
    const people = await realm();
    const { alice, bob } = people;
    await listen(alice);
    await type(alice, 'start', { to: [bob.id] });
    const late = await listen(bob);
    await hearsNothing(people, bob, late);
  });
});

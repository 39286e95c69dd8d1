import { systemClock } from '@parley/kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  type Listener,
  type Person,
  getWorld,
  headOf,
  positionOf,
  realm,
  subscribe,
} from '../support/index.ts';
import { scrape } from '../support/metrics.ts';

const say = (from: Person, to: Person, content: string) =>
  from.post('/messages', { type: 'direct', to: [to.id], content });

/** Lets the node take in the request: another one over the same server is answered after it. */
const afterParking = (listener: Listener) => listener.hears();

describe('GET /events', () => {
  test('has a heartbeat for a queue that was quiet for a minute, also if it does not wait', async () => {
    const { alice } = await realm();
    const clock = { ...systemClock, nowMs: () => Date.now() - 61_000 };
    await using earlier = await (await getWorld()).startApi({ clock });
    const registering = { fetch_event_types: [] };
    const { body } = await alice.ask('POST', '/register', registering, { port: earlier.port });
    const params = { queue_id: body.queue_id, last_event_id: body.last_event_id, dont_block: true };
    const before = (await scrape()).by('parley_queue_answers_total', 'kind');
    const { events } = await alice.get('/events', params);
    expect(events).toEqual([{ type: 'heartbeat', id: expect.any(Number) }]);
    expect((await scrape()).by('parley_queue_answers_total', 'kind')).toEqual({
      ...before,
      heartbeat: (before['heartbeat'] ?? 0) + 1,
    });
    expect((await alice.get('/events', { ...params, last_event_id: events[0].id })).events).toEqual([]);
  });

  test('waits, and answers when something happens', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen();
    const waiting = phone.poll();
    const { id } = await say(alice, bob, 'hello');
    expect(await waiting).toMatchObject({
      result: 'success',
      msg: '',
      queue_id: phone.queueId,
      events: [{ type: 'message', flags: [], message: { id, content: 'hello', sender_id: alice.id } }],
    });
  });

  test('gives the same answer to the same question, until the client acknowledges', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen();
    for (const content of ['one', 'two', 'three']) await say(alice, bob, content);
    const first = await phone.poll();
    expect(await phone.poll()).toEqual(first);
    const [one, two, three] = first.events;
    expect((await phone.poll({ last_event_id: one.id })).events).toEqual([two, three]);
    expect((await phone.poll({ last_event_id: three.id, dont_block: true })).events).toEqual([]);
    expect(two.id).toBeGreaterThan(one.id);
    expect(three.id).toBeGreaterThan(two.id);
  });

  test('a poll that a proxy routed to an api node is refused, not mistaken for a registration', async () => {
    const { alice } = await realm();
    const phone = await alice.listen();
    const { ports } = await getWorld();
    const { body } = await alice.ask('GET', '/events', { queue_id: phone.queueId }, { port: ports.api });
    expect(body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
    expect(body).not.toHaveProperty('queue_id');
  });

  test('a poll with dont_block is answered at once, with nothing if there is nothing', async () => {
    const { alice } = await realm();
    const phone = await alice.listen();
    expect(await phone.poll({ dont_block: true })).toEqual({
      result: 'success',
      msg: '',
      events: [],
      queue_id: phone.queueId,
    });
  });

  test('starts from the registration when the client has acknowledged nothing', async () => {
    const { alice, bob } = await realm();
    await say(alice, bob, 'before');
    const phone = await bob.listen();
    await say(alice, bob, 'after');
    for (const last_event_id of [-1, 0, undefined]) {
      const { events } = await phone.poll({ last_event_id });
      expect(events.map(({ message }: { message: { content: string } }) => message.content)).toEqual([
        'after',
      ]);
    }
  });

  test('a second poll ends the first, which loses nothing', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen();
    const first = phone.poll();
    // The second may overtake the first on its way; whichever came first has to give way.
    const second = phone.poll();
    const displaced = await Promise.race([first, second]);
    expect(displaced).toMatchObject({ result: 'success', events: [], queue_id: phone.queueId });
    await say(alice, bob, 'for the one that waits');
    const replies = await Promise.all([first, second]);
    expect(replies.map(({ events }) => events.length).sort((a, b) => a - b)).toEqual([0, 1]);
  });

  test('a client that hangs up finds its events later', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen();
    const hangUp = new AbortController();
    const params = { queue_id: phone.queueId, last_event_id: phone.lastEventId };
    const gone = bob.ask('GET', '/events', params, { signal: hangUp.signal });
    await (await bob.listen()).hears();
    hangUp.abort();
    await expect(gone).rejects.toThrow('aborted');
    await say(alice, bob, 'missed you');
    expect((await phone.hears()).map(({ message }) => message.content)).toEqual(['missed you']);
  });

  test('a poll without queue_id registers a queue that hears from here on', async () => {
    const { alice, bob } = await realm();
    await say(alice, bob, 'before');
    const registered = await bob.get('/events', { dont_block: true, event_types: ['message'] });
    expect(registered).toMatchObject({ result: 'success', events: [], queue_id: expect.any(String) });
    await say(alice, bob, 'after');
    const { events } = await bob.get('/events', { queue_id: registered.queue_id, last_event_id: -1 });
    expect(events.map(({ message }: { message: { content: string } }) => message.content)).toEqual(['after']);
  });

  test('a poll without queue_id accepts what a registration accepts, and says where to go on', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const registered = await bob.get('/events', {
      apply_markdown: true,
      client_capabilities: { notification_settings_null: true, empty_topic_name: true },
      fetch_event_types: ['message'],
      include_subscribers: 'partial',
      presence_history_limit_days: 3,
      queue_lifespan_secs: 700,
    });
    expect(registered).toEqual({
      result: 'success',
      msg: '',
      events: [],
      queue_id: expect.any(String),
      last_event_id: -1,
    });
    await alice.post('/messages', { type: 'channel', to: 'news', topic: '', content: '*hi*' });
    const { queue_id, last_event_id } = registered;
    const { events } = await bob.get('/events', { queue_id, last_event_id });
    expect(events.at(-1)).toMatchObject({ message: { subject: '', content: '<p><em>hi</em></p>' } });
    expect(await bob.get('/events', { client_capabilities: { bulk_message_deletion: true } })).toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('a queue of somebody else and one that does not exist are refused alike', async () => {
    const { alice, bob } = await realm();
    const phone = await alice.listen();
    const poll = (who: Person, queue_id: string) =>
      who.get('/events', { queue_id, last_event_id: -1, dont_block: true });

    expect(await poll(bob, phone.queueId)).toEqual({
      result: 'error',
      code: 'BAD_EVENT_QUEUE_ID',
      msg: `There is no event queue with the id '${phone.queueId}'. Register a new one.`,
      queue_id: phone.queueId,
    });
    expect(await poll(alice, 'no-such-queue')).toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
      queue_id: 'no-such-queue',
    });
    expect(await poll(alice, 'x'.repeat(5000))).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  });

  test('a position that no log has reached is refused, and the queue stays', async () => {
    const { alice, bob, realm: home } = await realm();
    const phone = await bob.listen();
    const beyond = await positionOf(phone.queueId, (await headOf(home.id)) + 1);
    expect(await phone.poll({ last_event_id: beyond })).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    await say(alice, bob, 'still here');
    expect((await phone.hears()).map(({ message }) => message.content)).toEqual(['still here']);
  });

  test('checks who asks on every poll', async () => {
    const { alice, bob } = await realm();
    const [{ realm: other }, phone] = [await realm(), await alice.listen()];
    await phone.hears();
    const params = { queue_id: phone.queueId, last_event_id: -1, dont_block: true };
    const refusal = async (differing: object) => (await alice.ask('GET', '/events', params, differing)).body;
    expect(await refusal({ authorization: null })).toMatchObject({ code: 'UNAUTHENTICATED_USER' });
    expect(await alice.withKey(bob.apiKey).get('/events', params)).toMatchObject({
      code: 'UNAUTHORIZED',
      msg: 'This API key is not valid.',
    });
    expect(await refusal({ host: other.host })).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('a queue with all_public_streams hears no public channel from the moment its owner is a guest', async () => {
    const { owner, alice, bob } = await realm();
    await subscribe(alice, 'news');
    const everything = await bob.listen({ all_public_streams: true, event_types: ['message'] });
    const post = (content: string) =>
      alice.post('/messages', { type: 'channel', to: 'news', topic: 'today', content });
    const heard = async () => (await everything.hears()).map(({ message }) => message.content);
    await post('for a member');
    expect(await heard()).toEqual(['for a member']);
    const waiting = everything.poll();
    await owner.patch(`/users/${bob.id}`, { role: 600 });
    await post('not for a guest');
    await say(alice, bob, 'for the guest');
    const { events } = await waiting;
    expect(events.map(({ message }: { message: { content: string } }) => message.content)).toEqual([
      'for the guest',
    ]);
    expect(await heard()).toEqual(['for the guest']);
    await owner.patch(`/users/${bob.id}`, { role: 400 });
    await post('for a member again');
    expect(await heard()).toContain('for a member again');
  });

  test('refuses parameters of the wrong type, and names those it does not know', async () => {
    const { alice } = await realm();
    const phone = await alice.listen();
    expect(await phone.poll({ last_event_id: 'abc' })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await phone.poll({ dont_block: 'yes' })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await phone.poll({ dont_block: true, zeal: 1, client_gravatar: true })).toMatchObject({
      ignored_parameters_unsupported: ['zeal'],
    });
  });

  test('hears messages in the order of their ids, however many are sent at once', async () => {
    const { alice, bob, carol } = await realm();
    const phone = await bob.listen();
    const sent = await Promise.all(
      Array.from({ length: 60 }, (_, index) => say(index % 2 ? alice : carol, bob, `${index}`)),
    );
    const heard = (await phone.hears()).map(({ message }) => message.id);
    expect(heard).toEqual(sent.map(({ id }) => id).sort((a, b) => a - b));
  });
});

test('whatever a poll asks for is answered with events or a documented error', async () => {
  const { alice } = await realm();
  const phone = await alice.listen();
  const hostile = fc.oneof(
    fc.constantFrom(
      '',
      '\0',
      'null',
      '[]',
      '"1"',
      '1.5',
      '-1',
      '9'.repeat(30),
      '9007199254740991',
      'true',
      '%',
      '\ud800',
    ),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.integer().map(String),
  );
  const params = fc.record(
    { queue_id: fc.oneof(fc.constant(phone.queueId), hostile), last_event_id: hostile, dont_block: hostile },
    { requiredKeys: ['queue_id'] },
  );
  await fc.assert(
    fc.asyncProperty(params, fc.constantFrom('GET', 'GET', 'DELETE'), async (sent, method) => {
      // Only of what cannot be waited for: the queue itself must not be ended, nor a poll left waiting.
      fc.pre(sent.queue_id !== phone.queueId || (method === 'GET' && sent.dont_block !== 'false'));
      const dontBlock = sent.dont_block ?? 'true';
      // Every reply is held against the contract on its way here.
      const { status } = await alice.ask(method, '/events', { ...sent, dont_block: dontBlock });
      expect([200, 400]).toContain(status);
    }),
    { numRuns: 200 },
  );
  expect(await phone.poll({ dont_block: true })).toMatchObject({ result: 'success', events: [] });
});

describe('DELETE /events', () => {
  test('ends the queue, and answers the poll that waits', async () => {
    const { alice, bob } = await realm();
    const phone = await alice.listen();
    const waiting = phone.poll();
    await afterParking(await bob.listen());
    expect(await alice.delete('/events', { queue_id: phone.queueId })).toEqual({
      result: 'success',
      msg: '',
    });
    expect((await waiting).events ?? []).toEqual([]);
    expect(await phone.poll()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id: phone.queueId });
  });

  test('is for the owner, and for queues that are there', async () => {
    const { alice, bob } = await realm();
    const phone = await alice.listen();
    expect(await bob.delete('/events', { queue_id: phone.queueId })).toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
    });
    expect(await phone.poll({ dont_block: true })).toMatchObject({ result: 'success' });
    expect(await alice.delete('/events', { queue_id: 'no-such-queue' })).toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
    });
    expect(await alice.delete('/events')).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'queue_id',
    });
  });
});

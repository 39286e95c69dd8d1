import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Params,
  type Person,
  createChannel,
  emptyChannel,
  inSeconds,
  jsonEndpoints,
  outcomeOf,
  realm,
  say,
  succeed,
  tell,
} from '../../support/index.ts';
import { heardOf, idsIn, listenWith, messagesHeard, shown, stateOf } from './heard.ts';

/** Whatever needs one parameter or another, or a recent program. */
const notReadable = ['/compatibility', '/messages'];

/** Endpoints that can be read by their addresses alone. */
const readable = jsonEndpoints.filter(
  ({ method, path, params, redirects }) =>
    method === 'GET' &&
    !path.includes(':') &&
    !notReadable.includes(path) &&
    !redirects &&
    Object.values(params).every((one) => one.safeParse(undefined).success),
);

/** Addresses in which every id is that of nothing. */
const addressed = (path: string, id: string) => path.replaceAll(/:\w+/g, id);

/** A channel of the sender's, in which a topic of each form is tried. */
interface Place {
  by: Person;
  channel: number;
}

const later = inSeconds(3600);

/** What takes a topic: how it is sent, and what was made of it. */
const carriers: [string, (topic: string, place: Place) => Promise<string>][] = [
  [
    'a message that is sent',
    async (topic, { by, channel }) => (await shown(by, await say(by, channel, topic))).subject,
  ],
  [
    'a message that is moved',
    async (topic, { by, channel }) => {
      const id = await say(by, channel, 't');
      await succeed(by.patch(`/messages/${id}`, { topic }));
      return (await shown(by, id)).subject;
    },
  ],
  [
    'a scheduled message',
    async (topic, { by, channel }) => {
      const message = {
        type: 'channel',
        to: channel,
        topic,
        content: 'x',
        scheduled_delivery_timestamp: later,
      };
      const phone = await listenWith(by, ['scheduled_messages']);
      await succeed(by.post('/scheduled_messages', message));
      return (await phone.hears())[0]?.['scheduled_messages'][0].topic;
    },
  ],
  [
    'a muted topic',
    async (topic, { by, channel }) => {
      const phone = await listenWith(by, ['user_topic']);
      const mute = { stream_id: channel, topic };
      await succeed(by.patch('/users/me/subscriptions/muted_topics', { ...mute, op: 'add' }));
      const [told] = await phone.hears();
      await succeed(by.patch('/users/me/subscriptions/muted_topics', { ...mute, op: 'remove' }));
      return told?.['topic_name'];
    },
  ],
  [
    'a followed topic',
    async (topic, { by, channel }) => {
      const phone = await listenWith(by, ['user_topic']);
      const follow = { stream_id: channel, topic };
      await succeed(by.post('/user_topics', { ...follow, visibility_policy: 3 }));
      const [told] = await phone.hears();
      await succeed(by.post('/user_topics', { ...follow, visibility_policy: 0 }));
      return told?.['topic_name'];
    },
  ],
  [
    'a topic in which somebody is writing',
    async (topic, { by, channel }) => {
      const phone = await listenWith(by, ['typing']);
      await phone.hears();
      await succeed(by.post('/typing', { type: 'channel', op: 'start', stream_id: channel, topic }));
      return (await phone.waits())[0]?.['topic'];
    },
  ],
];

describe('Conventions', () => {
  test.each(carriers)(
    '%s has the empty topic where “(no topic)” or its display name was sent',
    async (_, send) => {
      const { alice } = await realm();
      const channel = await createChannel(alice, 'news', [alice]);
      for (const topic of ['(no topic)', 'general chat']) {
        expect(await send(topic, { by: alice, channel }), topic).toBe('');
      }
    },
  );

  test('a topic that is required is none of the names of the empty topic', async () => {
    const { alice } = await realm();
    const channel = await createChannel(alice, 'news', [alice], { topics_policy: 'disable_empty_topic' });
    for (const topic of ['', '(no topic)', 'general chat', ' (no topic) ']) {
      const sent = { type: 'channel', to: channel, topic, content: 'x' };
      expect(await alice.post('/messages', sent), topic).toMatchObject({ code: 'BAD_REQUEST' });
    }
  });

  test('whatever is read without parameters names those that it does not know, and none that it knows', async () => {
    const { owner } = await realm();
    expect(readable.length).toBeGreaterThan(20);
    for (const { path, params } of readable) {
      const known = Object.keys(params).find((name) => params[name]?.safeParse('true').success);
      const sent = { zeal: 1, axe: 2, ...(known !== undefined && { [known]: true }) };
      const { ignored_parameters_unsupported: ignored } = await succeed(owner.get(path, sent));
      expect(ignored, path).toEqual(['axe', 'zeal']);
      expect(await owner.get(path), path).not.toHaveProperty('ignored_parameters_unsupported');
    }
  });

  test('an error names no parameter as ignored', async () => {
    const { owner } = await realm();
    const replies: Json[] = [];
    for (const { method, path } of jsonEndpoints.filter((one) => one.path.includes('_id'))) {
      replies.push((await owner.ask(method, addressed(path, '2000000000'), { zeal: 1 })).body);
    }
    const errors = replies.filter(({ result }) => result === 'error');
    expect(errors.length).toBeGreaterThan(20);
    expect(errors.filter((body) => 'ignored_parameters_unsupported' in body)).toEqual([]);
  });

  test('an id in an address is an integer, and anything else is refused before anything is looked for', async () => {
    const { owner } = await realm();
    const withIds = jsonEndpoints.filter(({ path }) => /:\w+_id(\/|$)/.test(path));
    expect(withIds.length).toBeGreaterThan(30);
    for (const { method, path } of withIds) {
      for (const id of ['x', '1.5', 'true']) {
        const { status, body } = await owner.ask(method, addressed(path, id), {});
        expect([status, body.result], `${method} ${path} ${id}`).toEqual([400, 'error']);
      }
    }
  });

  test('an endpoint for accounts answers nobody without one, with a code, a text and a challenge', async () => {
    const { alice } = await realm();
    const needing = jsonEndpoints.filter(({ auth }) => auth === 'user' || auth === 'cached');
    expect(needing.length).toBeGreaterThan(100);
    for (const { method, path } of needing) {
      const { status, body, headers } = await alice.ask(
        method,
        addressed(path, '1'),
        {},
        { authorization: null },
      );
      expect([status, body.result, typeof body.code], path).toEqual([401, 'error', 'string']);
      expect([body.msg === '', headers['www-authenticate']], path).toEqual([
        false,
        expect.stringMatching(/^Basic/),
      ]);
    }
  });

  test('a HEAD request is answered like a GET request, without a body', async () => {
    const { alice } = await realm();
    for (const path of ['/users/me', '/drafts', '/server_settings', '/realm/linkifiers']) {
      const [head, get] = [await alice.ask('HEAD', path), await alice.ask('GET', path)];
      expect([head.status, head.headers['content-type'], head.text]).toEqual([
        get.status,
        get.headers['content-type'],
        '',
      ]);
    }
  });

  test.each(['PUT', 'PATCH', 'TRACE'])(
    'the method %s is refused with the methods that the address takes',
    async (method) => {
      const { alice } = await realm();
      const { status, headers, body } = await alice.ask(method, '/drafts');
      expect([status, body.result, body.allowed_methods.toSorted()]).toEqual([405, 'error', ['GET', 'POST']]);
      expect(headers['allow']).toContain('POST');
    },
  );

  test.each([
    ['/drafts', 'drafts'],
    ['/users/me/alert_words', 'alert_words'],
    ['/register', 'event_types'],
    ['/register', 'client_capabilities'],
    ['/channels/create', 'subscribers'],
  ])('a list or an object for %s that is not JSON is refused by its name, %s', async (path, name) => {
    const { alice } = await realm();
    const reply = await alice.post(path, { name: 'news', [name]: 'a,b' });
    expect(reply).toMatchObject({ code: 'BAD_REQUEST', msg: expect.stringContaining(name) });
  });

  test('a text in a form is the text that was meant, whatever is escaped in it', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen();
    await tell(alice, [bob], 'a+b & c=d %20 ü 😀');
    expect((await messagesHeard(phone))[0].content).toBe('a+b & c=d %20 ü 😀');
  });

  test('times are whole seconds of the moment at which something was done', async () => {
    const { alice, bob } = await realm();
    const before = Math.floor(Date.now() / 1000);
    const id = await tell(alice, [bob]);
    const channel = await createChannel(alice, 'news');
    const times = [
      (await shown(bob, id)).timestamp,
      (await alice.get(`/streams/${channel}`)).stream.date_created,
      (await stateOf(alice, 'realm')).realm_date_created,
    ];
    for (const time of times.slice(0, 2)) expect(time - before).toBeLessThan(3600);
    for (const time of times) expect(Number.isInteger(time)).toBe(true);
  });
});

describe('Versioning', () => {
  test('the feature level is an integer, and the same before and after logging in', async () => {
    const { alice } = await realm();
    const { body } = await alice.ask('GET', '/server_settings', {}, { authorization: null });
    const state = await alice.post('/register', { fetch_event_types: [] });
    expect(Number.isInteger(body.svc_feature_level)).toBe(true);
    expect([state.svc_feature_level, state.svc_version]).toEqual([body.svc_feature_level, body.svc_version]);
  });

  test.each([
    ['POST', '/messages'],
    ['PATCH', '/messages/:id'],
  ])('%s %s takes a topic as subject, and refuses both names at once', async (method) => {
    const { alice } = await realm();
    const news = await emptyChannel(alice, 'news');
    const id = await say(alice, news, 't');
    const ask = (params: Params): Promise<Json> =>
      method === 'POST'
        ? alice.post('/messages', { type: 'channel', to: news, content: 'x', ...params })
        : alice.patch(`/messages/${id}`, { ...params, send_notification_to_new_thread: false });
    expect(outcomeOf(await ask({ subject: 'old name' }))).toBe('ok');
    expect(await idsIn(alice, news, 'old name')).toHaveLength(1);
    expect((await ask({ topic: 'one', subject: 'two' })).result).toBe('error');
  });
});

describe('Errors', () => {
  test('an error has a code, and what succeeds has none', async () => {
    const { alice } = await realm();
    expect(await alice.get('/drafts')).not.toHaveProperty('code');
    const error = await alice.patch('/drafts/2000000000', {
      draft: { type: '', to: [], topic: '', content: 'x' },
    });
    expect(Object.keys(error).toSorted()).toEqual(['code', 'msg', 'result']);
  });

  test('what does not exist and what belongs to somebody else are the same error', async () => {
    const { alice, bob } = await realm();
    const secret = await emptyChannel(alice, 'secret', [alice], { invite_only: true });
    const id = await say(alice, secret);
    const missing = await bob.get('/messages/2000000000');
    expect(missing).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await bob.get(`/messages/${id}`)).toEqual(missing);
    const channel = await bob.get('/streams/2000000000');
    expect(await bob.get(`/streams/${secret}`)).toEqual(channel);
  });

  test('whoever was deactivated is no recipient, and a message to them is sent to nobody else', async () => {
    const { admin, alice, bob, carol } = await realm();
    await succeed(admin.delete(`/users/${carol.id}`));
    const phone = await bob.listen();
    const sent = { type: 'direct', to: [bob.id, carol.id], content: 'x' };
    expect(await alice.post('/messages', sent)).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await phone.hears()).toEqual([]);
  });

  test('a request that is refused changes nothing of what it asked for besides', async () => {
    const { admin, alice } = await realm();
    const change = { full_name: 'Other', role: 100 };
    expect((await admin.patch(`/users/${alice.id}`, change)).result).toBe('error');
    expect((await admin.get(`/users/${alice.id}`)).user.full_name).toBe('Alice');
  });
});

describe('Limits', () => {
  test('a text of the greatest length is kept, and a longer one is cut to it in messages and in edits', async () => {
    const { alice, bob } = await realm();
    const { max_message_length: max } = await stateOf(alice, 'realm');
    const id = await tell(alice, [bob], '字'.repeat(max));
    const lengthOf = async () => [...(await shown(bob, id)).content].length;
    expect(await lengthOf()).toBe(max);
    await succeed(alice.patch(`/messages/${id}`, { content: '字'.repeat(max + 1) }));
    expect(await lengthOf()).toBe(max);
    expect((await shown(bob, id)).content.endsWith('字')).toBe(false);
  });

  test('a topic of the greatest length is kept, and a longer one is cut to it', async () => {
    const { alice } = await realm();
    const news = await emptyChannel(alice, 'news');
    const { max_topic_length: max } = await stateOf(alice, 'realm');
    const sent = async (length: number) =>
      (await shown(alice, await say(alice, news, '字'.repeat(length)))).subject;
    expect(await sent(max)).toBe('字'.repeat(max));
    expect([...(await sent(max + 1))].length).toBe(max);
  });

  test('the time that a client waits for a poll is longer than the time between two heartbeats', async () => {
    const { alice } = await realm();
    const { event_queue_longpoll_timeout_seconds } = await stateOf(alice, 'realm');
    expect(event_queue_longpoll_timeout_seconds).toBeGreaterThan(60);
  });
});

describe('Resources and their fields', () => {
  test('messages of channels have their channel’s id and name, and direct ones the people in them', async () => {
    const { alice, bob } = await realm();
    const news = await emptyChannel(alice, 'news', [alice, bob]);
    const [inChannel, direct] = [
      await shown(bob, await say(alice, news)),
      await shown(bob, await tell(alice, [bob])),
    ];
    expect(inChannel).toMatchObject({ stream_id: news, display_recipient: 'news' });
    expect(direct).not.toHaveProperty('stream_id');
    const fields = ['email', 'full_name', 'id', 'is_mirror_dummy'];
    expect(direct.display_recipient.map((one: Json) => Object.keys(one).toSorted())).toEqual([
      fields,
      fields,
    ]);
  });

  test('links of a topic are those of the topic that a message is in now', async () => {
    const { admin, alice } = await realm();
    const news = await emptyChannel(alice, 'news');
    await succeed(
      admin.post('/realm/filters', { pattern: 'case-(?P<n>[0-9]+)', url_template: 'https://ex.org/{n}' }),
    );
    const id = await say(alice, news, 'case-1');
    const move = { topic: 'case-2', send_notification_to_new_thread: false };
    await succeed(alice.patch(`/messages/${id}`, move));
    expect((await shown(alice, id)).topic_links).toEqual([{ text: 'case-2', url: 'https://ex.org/2' }]);
  });

  test('an answer to a poll is a part of its message, in the order of the answers, and everybody hears of it', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob], '/poll Tea?');
    const phone = await listenWith(alice, ['submessage']);
    for (const vote of [1, -1]) {
      const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote });
      await succeed(bob.post('/submessage', { message_id: id, msg_type: 'widget', content }));
    }
    const heard = await heardOf(phone, 'submessage');
    const { submessages } = await shown(alice, id);
    expect(submessages.slice(1).map(({ id: part }: Json) => part)).toEqual(
      heard.map(({ submessage_id }) => submessage_id),
    );
  });
});

describe('States and transitions', () => {
  test('a topic that is unresolved has its old name again, and whoever follows it follows on', async () => {
    const { alice } = await realm();
    const news = await emptyChannel(alice, 'news');
    const id = await say(alice, news, 'lunch');
    await succeed(alice.post('/user_topics', { stream_id: news, topic: 'lunch', visibility_policy: 3 }));
    const change = (topic: string) =>
      succeed(alice.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' }));
    await change('✔ lunch');
    await change('lunch');
    expect((await shown(alice, id)).subject).toBe('lunch');
    expect((await stateOf(alice, 'user_topic')).user_topics).toMatchObject([{ topic_name: 'lunch' }]);
  });

  test('a check mark before the name of a part of a topic moves that part, and resolves nothing', async () => {
    const { alice } = await realm();
    const news = await emptyChannel(alice, 'news');
    const ids = [await say(alice, news, 'lunch'), await say(alice, news, 'lunch')];
    await succeed(alice.patch(`/messages/${ids[1]}`, { topic: '✔ lunch', propagate_mode: 'change_one' }));
    expect((await idsIn(alice, news, 'lunch'))[0]).toBe(ids[0]);
    expect((await idsIn(alice, news, '✔ lunch'))[0]).toBe(ids[1]);
  });
});

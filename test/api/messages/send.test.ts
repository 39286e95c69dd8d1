import { describe, expect, test } from 'vitest';

import { type Person, channelId, getWorld, realm, subscribe, tell } from '../../support/index.ts';

describe('POST /messages to a channel', () => {
  test('reaches its subscribers, and no one else', async () => {
    const { alice, bob, carol, owner, guest } = await realm();
    await subscribe(alice, 'news', [alice, bob, guest]);
    const listeners = await Promise.all([alice, bob, guest].map((person) => person.listen()));
    const strangers = await Promise.all([carol, owner].map((person) => person.listen()));

    const reply = await alice.post('/messages', {
      type: 'channel',
      to: 'news',
      topic: 'weather',
      content: 'It *rains*.',
    });

    expect(reply).toMatchObject({ result: 'success', msg: '', id: expect.any(Number) });
    for (const listener of listeners) {
      expect((await listener.hears()).filter(({ type }) => type === 'message')).toMatchObject([
        {
          message: {
            id: reply.id,
            type: 'stream',
            display_recipient: 'news',
            subject: 'weather',
            content: 'It *rains*.',
            sender_id: alice.id,
            sender_email: alice.email,
            sender_full_name: 'Alice',
            client: 'Unspecified',
            is_me_message: false,
          },
        },
      ]);
    }
    for (const stranger of strangers) {
      // That the channel now has a first message is everyone's to know.
      expect((await stranger.hears()).map(({ type }) => type)).toEqual(['stream']);
    }
  });

  test('takes every form of address', async () => {
    const { alice } = await realm();
    await subscribe(alice, 'News');
    const id = await channelId(alice, 'News');
    const phone = await alice.listen({ event_types: ['message'] });
    const forms = ['News', 'nEWS', ' News ', '"News"', '["News"]', id, [id], `${id}`];
    for (const to of forms) {
      for (const type of ['channel', 'stream']) {
        const reply = await alice.post('/messages', { type, to, topic: 'a', content: 'x' });
        expect(reply, JSON.stringify(to)).toMatchObject({ result: 'success' });
      }
    }
    const heard = await phone.hears();
    expect(heard).toHaveLength(forms.length * 2);
    for (const { message } of heard)
      expect(message).toMatchObject({ stream_id: id, display_recipient: 'News' });
  });

  test('knows one topic under all its spellings, and shows the first', async () => {
    const { alice } = await realm();
    await subscribe(alice, 'news');
    const phone = await alice.listen({ event_types: ['message'] });
    for (const topic of [' Weather ', 'wEATHER']) {
      await alice.post('/messages', { type: 'channel', to: 'news', topic, content: 'x' });
    }
    await alice.post('/messages', { type: 'channel', to: 'news', subject: 'WEATHER', content: 'x' });
    expect((await phone.hears()).map(({ message }) => message.subject)).toEqual([
      'Weather',
      'Weather',
      'Weather',
    ]);
  });

  test('takes the empty topic under its three names', async () => {
    const { alice } = await realm();
    await subscribe(alice, 'news');
    const capabilities = { notification_settings_null: true, empty_topic_name: true };
    const modern = await alice.listen({ event_types: ['message'], client_capabilities: capabilities });
    const old = await alice.listen({ event_types: ['message'] });
    for (const topic of ['', '(no topic)', 'general chat']) {
      const reply = await alice.post('/messages', { type: 'channel', to: 'news', topic, content: 'x' });
      expect(reply.result).toBe('success');
    }
    expect((await modern.hears()).map(({ message }) => message.subject)).toEqual(['', '', '']);
    expect(new Set((await old.hears()).map(({ message }) => message.subject))).toEqual(
      new Set(['general chat']),
    );
  });

  test('cuts a long topic and a long text, by characters and not by bytes', async () => {
    const { alice } = await realm();
    await subscribe(alice, 'news');
    const phone = await alice.listen({ event_types: ['message'] });
    const send = (topic: string, content: string) =>
      alice.post('/messages', { type: 'channel', to: 'news', topic, content });
    await send('t'.repeat(60), 'é'.repeat(10_000));
    await send('t'.repeat(61), '😀'.repeat(10_000));
    await send('😀'.repeat(61), 'a'.repeat(10_001));
    const [exact, wide, cut] = (await phone.hears()).map(({ message }) => message);
    expect(exact).toMatchObject({ subject: 't'.repeat(60), content: 'é'.repeat(10_000) });
    expect(wide).toMatchObject({ subject: `${'t'.repeat(57)}...`, content: '😀'.repeat(10_000) });
    expect(cut.subject).toBe(`${'😀'.repeat(57)}...`);
    expect(cut.content).toHaveLength(10_000);
    expect(cut.content).toMatch(/^a+\n\[message truncated\]$/);
  });

  test('strips what stands around the text', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen();
    const send = (content: string) => alice.post('/messages', { type: 'direct', to: [bob.id], content });
    await send('\n\n  indented \n\n');
    expect((await phone.hears())[0]?.['message'].content).toBe('  indented');
    for (const nothing of ['', ' \n ', '\n']) {
      expect(await send(nothing)).toMatchObject({ code: 'BAD_REQUEST', msg: 'The message is empty.' });
    }
    expect(await send('a\0b')).toMatchObject({ msg: 'The message contains a null character.' });
  });

  test('refuses what cannot be reached, with the documented fields', async () => {
    const { alice, bob, guest } = await realm();
    await subscribe(alice, 'open');
    await subscribe(alice, 'secret', [alice], { invite_only: true });
    const [open, secret] = [await channelId(alice, 'open'), await channelId(alice, 'secret')];
    const send = (who: Person, to: unknown, more: object = {}) =>
      who.post('/messages', { type: 'channel', to, topic: 't', content: 'x', ...more });

    expect(await send(alice, 'Nowhere')).toEqual({
      result: 'error',
      code: 'STREAM_DOES_NOT_EXIST',
      msg: "There is no channel called 'Nowhere'.",
      stream: 'Nowhere',
    });
    expect(await send(alice, 2_000_000_000)).toEqual({
      result: 'error',
      code: 'STREAM_DOES_NOT_EXIST',
      msg: 'There is no channel with the id 2000000000.',
      stream_id: 2_000_000_000,
    });
    expect(await send(alice, Number.MAX_SAFE_INTEGER)).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream_id: Number.MAX_SAFE_INTEGER,
    });
    for (const to of ['secret', secret]) {
      expect(await send(bob, to)).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'You do not have permission to post in this channel.',
      });
    }
    expect(await send(guest, open)).toMatchObject({
      msg: 'You do not have permission to post in this channel.',
    });
    expect((await send(bob, open)).result, 'a member need not be subscribed to an open channel').toBe(
      'success',
    );
    expect(await send(alice, ['open', 'secret'])).toMatchObject({ msg: 'Name exactly one channel.' });
    expect(await send(alice, '')).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'A message to a channel needs a channel.',
    });
    expect(await send(alice, {})).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await send(alice, 'open', { topic: undefined })).toMatchObject({
      msg: 'A message to a channel needs a topic.',
    });
    expect(await send(alice, 'open', { topic: 'a\tb' })).toMatchObject({
      msg: 'The topic contains a character that is not allowed, at position 2.',
    });
    expect(await send(alice, 'open', { type: 'smoke signal' })).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'type is not valid.',
    });
    expect(await send(alice, 'open', { content: undefined })).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'content',
    });
    expect(await send(alice, 'open', { subject: 't' })).toMatchObject({
      code: 'REQUEST_CONFUSING_VAR',
      var_name1: 'topic',
      var_name2: 'subject',
    });
  });

  test('a channel of another organization is not found', async () => {
    const [{ alice }, { alice: outsider }] = [await realm(), await realm()];
    await subscribe(alice, 'news');
    const reply = await outsider.post('/messages', {
      type: 'channel',
      to: await channelId(alice, 'news'),
      topic: 't',
      content: 'x',
    });
    expect(reply).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  });
});

describe('POST /messages to people', () => {
  test('takes every form of address, and is one conversation whichever is used', async () => {
    const { alice, bob, carol, realm: home } = await realm();
    const phone = await bob.listen();
    const forms = [
      [bob.id, carol.id],
      [carol.id, bob.id, bob.id, alice.id],
      [bob.email, carol.email],
      [bob.email.toUpperCase(), carol.email],
      `${bob.email}, ${carol.email}`,
      [`user${bob.id}@${home.host}`, carol.email],
    ];
    for (const to of forms) {
      for (const type of ['direct', 'private']) {
        expect(await alice.post('/messages', { type, to, content: 'x' }), JSON.stringify(to)).toMatchObject({
          result: 'success',
        });
      }
    }
    const heard = (await phone.hears()).map(({ message }) => message);
    expect(heard).toHaveLength(forms.length * 2);
    expect(new Set(heard.map(({ recipient_id }) => recipient_id)).size).toBe(1);
    expect(heard[0]).toMatchObject({
      type: 'private',
      subject: '',
      display_recipient: [alice, bob, carol].map(({ id, email, name }) => ({
        id,
        email,
        full_name: name,
        is_mirror_dummy: false,
      })),
    });
    expect(heard[0]).not.toHaveProperty('stream_id');
  });

  test('reaches sender and recipients alone, also when it is a note to oneself', async () => {
    const { alice, bob, carol, owner } = await realm();
    const [mine, his, others] = [
      await alice.listen(),
      await bob.listen(),
      [await carol.listen(), await owner.listen()],
    ];
    await alice.post('/messages', { type: 'direct', to: bob.id, content: 'for Bob' });
    await tell(alice, [alice], 'note');
    const contents = (events: { [field: string]: { content: string } }[]) =>
      events.map(({ message }) => message?.content);
    expect(contents(await mine.hears())).toEqual(['for Bob', 'note']);
    expect(contents(await his.hears())).toEqual(['for Bob']);
    for (const other of others) expect(await other.hears()).toEqual([]);
  });

  test('refuses whom it cannot reach', async () => {
    const { owner, alice, bob, carol } = await realm();
    const { alice: outsider } = await realm();
    await owner.delete(`/users/${carol.id}`);
    const refusal = async (to: unknown) => {
      const { code, msg } = await alice.post('/messages', { type: 'direct', to, content: 'x' });
      return [code, msg];
    };
    expect(await refusal([999])).toEqual(['BAD_REQUEST', 'There is no user with the id 999.']);
    expect(await refusal([outsider.id])).toEqual([
      'BAD_REQUEST',
      `There is no user with the id ${outsider.id}.`,
    ]);
    expect(await refusal(['nobody@example.com'])).toEqual([
      'BAD_REQUEST',
      "There is no user with the email address 'nobody@example.com'.",
    ]);
    expect(await refusal([carol.id])).toEqual([
      'BAD_REQUEST',
      `'${carol.email}' has a deactivated account and cannot receive messages.`,
    ]);
    expect(await refusal([])).toEqual(['BAD_REQUEST', 'A direct message needs at least one recipient.']);
    expect(await refusal('')).toEqual(['BAD_REQUEST', 'A direct message needs at least one recipient.']);
    expect(await refusal([bob.id, bob.email])).toEqual([
      'BAD_REQUEST',
      'Name the recipients either by email address or by id, not both.',
    ]);
    for (const to of [[1.5], [true], { id: 1 }, [Number.MAX_SAFE_INTEGER], [-1]]) {
      expect((await refusal(to))[0], JSON.stringify(to)).toBe('BAD_REQUEST');
    }
  });
});

describe('what the sender is told of a message', () => {
  test('is its own id back under both of its names, in the queue that sent it alone', async () => {
    const { alice, bob } = await realm();
    const [phone, laptop, his] = [await alice.listen(), await alice.listen(), await bob.listen()];
    await alice.post('/messages', {
      type: 'direct',
      to: [bob.id],
      content: 'x',
      queue_id: phone.queueId,
      local_id: '17.01',
    });
    expect(await phone.hears()).toMatchObject([
      { type: 'message', local_id: '17.01', local_message_id: '17.01' },
    ]);
    for (const other of [laptop, his]) {
      const [event] = await other.hears();
      expect(event).toMatchObject({ type: 'message' });
      expect(event).not.toHaveProperty('local_id');
      expect(event).not.toHaveProperty('local_message_id');
    }
    const halfEcho = { type: 'direct', to: [bob.id], content: 'x', queue_id: phone.queueId };
    expect(await alice.post('/messages', halfEcho)).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'local_id',
    });
  });

  test('is the same id for every retry, also when retries race', async () => {
    const { alice, bob } = await realm();
    const [phone, his] = [await alice.listen(), await bob.listen()];
    const send = (local_id: string) =>
      alice.post('/messages', {
        type: 'direct',
        to: [bob.id],
        content: 'once',
        queue_id: phone.queueId,
        local_id,
      });
    const first = await send('1');
    expect(await send('1')).toEqual(first);
    const racing = await Promise.all(Array.from({ length: 12 }, () => send('2')));
    expect(new Set(racing.map(({ id }) => id)).size).toBe(1);
    expect(racing[0].id).not.toBe(first.id);
    expect((await his.hears()).map(({ message }) => message.id)).toEqual([first.id, racing[0].id]);
  });

  test('is the same id when retries race through two nodes', async () => {
    const { alice, bob } = await realm();
    await using other = await (await getWorld()).startApi();
    const [phone, his] = [await alice.listen(), await bob.listen()];
    const params = { type: 'direct', to: [bob.id], content: 'once', queue_id: phone.queueId, local_id: '1' };
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        alice.ask('POST', '/messages', params, index % 2 ? { port: other.port } : {}),
      ),
    );
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect(await his.hears()).toHaveLength(1);
  });

  test('is read by its sender when people read what that program sends, or when it says so', async () => {
    const { alice, bob } = await realm();
    const [phone, his] = [await alice.listen(), await bob.listen()];
    const send = (params: object, userAgent?: string) =>
      alice.ask(
        'POST',
        '/messages',
        { type: 'direct', to: [bob.id], content: 'x', ...params },
        { userAgent },
      );
    await send({});
    await send({ read_by_sender: true });
    await send({}, 'ZulipMobile/28.1');
    await send({ client: 'website' });
    await send({ read_by_sender: false }, 'ZulipMobile/28.1');
    await send({}, 'ZulipPython/0.9');
    expect((await phone.hears()).map(({ flags }) => flags)).toEqual([
      [],
      ['read'],
      ['read'],
      ['read'],
      [],
      [],
    ]);
    for (const { flags } of await his.hears()) expect(flags).toEqual([]);
  });

  test('names the program it was sent with', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen();
    const send = (params: object, userAgent?: string) =>
      alice.ask(
        'POST',
        '/messages',
        { type: 'direct', to: [bob.id], content: 'x', ...params },
        { userAgent },
      );
    await send({}, 'Robo/2.0 (linux)');
    await send({ client: 'my script' }, 'Robo/2.0');
    await send({ client: 'c'.repeat(99) });
    expect((await phone.hears()).map(({ message }) => message.client)).toEqual([
      'Robo',
      'my script',
      'c'.repeat(30),
    ]);
  });
});

import { describe, expect, test } from 'vitest';

import {
  type Person,
  addMembers,
  addReaders,
  getWorld,
  realm,
  say,
  setReceivedAs,
  startPostgresProxy,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';

const read = (who: Person, id: number) =>
  succeed(who.post('/messages/flags', { op: 'add', flag: 'read', messages: [id] }));

describe('GET /messages/{message_id}/read_receipts', () => {
  async function readable() {
    const people = await realm();
    const { owner, alice, bob, carol, guest } = people;
    await owner.patch('/realm', { enable_read_receipts: true });
    await subscribe(alice, 'news', [alice, bob, carol, guest]);
    const id = await say(alice, 'news');
    const readers = async (who: Person): Promise<number[]> => {
      const reply = await who.get(`/messages/${id}/read_receipts`);
      expect(reply).toMatchObject({ result: 'success' });
      return reply.user_ids;
    };
    return { ...people, id, readers };
  }

  test('names those who have read it, and never its sender', async () => {
    const { alice, bob, guest, id, readers } = await readable();
    expect(await readers(alice)).toEqual([]);
    for (const who of [alice, guest, bob]) await read(who, id);
    expect(await readers(alice)).toEqual([bob.id, guest.id]);
    expect(await readers(bob), 'to whoever may read the message').toEqual([bob.id, guest.id]);
  });

  test('counts as read what came as read, and as unread what was not received', async () => {
    const { alice, bob, carol, guest, owner, id, readers } = await readable();
    await setReceivedAs(alice, id, { readBy: [alice, carol] });
    expect(await readers(alice)).toEqual([carol.id]);
    await setReceivedAs(alice, id, { unreadFor: [bob] });
    expect(await readers(alice)).toEqual([carol.id, guest.id]);
    await subscribe(owner, 'news');
    await read(owner, id);
    expect(await readers(alice)).toEqual([carol.id, guest.id]);
  });

  test('leaves out who does not let others know, who is gone, and who mutes or is muted', async () => {
    const { owner, alice, bob, carol, guest, id, readers } = await readable();
    for (const who of [bob, carol, guest]) await read(who, id);
    await bob.patch('/settings', { send_read_receipts: false });
    expect(await readers(alice)).toEqual([carol.id, guest.id]);
    await owner.delete(`/users/${carol.id}`);
    expect(await readers(alice)).toEqual([guest.id]);
    await succeed(guest.post(`/users/me/muted_users/${alice.id}`));
    expect(await readers(alice)).toEqual([]);
    expect(await readers(bob)).toEqual([guest.id]);
    await succeed(bob.post(`/users/me/muted_users/${guest.id}`));
    expect(await readers(bob)).toEqual([]);
  });

  test('is refused where the organization has none, and of messages that one may not read', async () => {
    const { owner, alice, bob, carol, id } = await readable();
    const direct = await tell(alice, [bob]);
    const refusal = async (who: Person, messageId: number) => {
      const { code, msg } = await who.get(`/messages/${messageId}/read_receipts`);
      return [code, msg];
    };
    expect(await refusal(carol, direct)).toEqual([
      'BAD_REQUEST',
      'These messages do not exist, or you do not have access to them.',
    ]);
    expect(await refusal(carol, 2_147_483_647)).toEqual([
      'BAD_REQUEST',
      'These messages do not exist, or you do not have access to them.',
    ]);
    await owner.patch('/realm', { enable_read_receipts: false });
    expect(await refusal(alice, id)).toEqual([
      'BAD_REQUEST',
      'Read receipts are turned off in this organization.',
    ]);
  });

  test('costs a channel of ten thousand no more statements than one of five', async () => {
    const { alice, id, realm: home } = await readable();
    const { databaseUrl, startApi } = await getWorld();
    await using proxy = await startPostgresProxy(databaseUrl);
    await using node = await startApi({ databaseUrl: proxy.url, databaseConnections: 1 });
    const ask = async () => {
      const asked = alice.ask('GET', `/messages/${id}/read_receipts`, {}, { port: node.port });
      const { user_ids } = await succeed(asked.then(({ body }) => body));
      return { readers: user_ids.length, roundTrips: proxy.takeRoundTrips() };
    };
    // The first reads the account, and the second asks for the first time whether it is still the same.
    await ask();
    await ask();
    const { roundTrips } = await ask();
    await addReaders(alice, id, await addMembers(home, 10_000));
    expect(await ask()).toEqual({ readers: 10_000, roundTrips });
  });
});

describe('GET /messages/matches_narrow', () => {
  test('tells which of the messages a narrow holds', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const first = await say(alice, 'news', 'a <topic>', '1 < 2');
    const second = await say(alice, 'news', 'other', 'x');
    const narrow = [['topic', 'A <TOPIC>']];

    expect(await bob.get('/messages/matches_narrow', { msg_ids: [first, second], narrow })).toEqual({
      result: 'success',
      msg: '',
      messages: { [first]: { match_content: '<p>1 &lt; 2</p>', match_subject: 'a &lt;topic&gt;' } },
    });
  });

  test('passes over what was not received, and over what does not exist', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news');
    const id = await say(alice, 'news');
    const matches = async (narrow: unknown[]) =>
      (await bob.get('/messages/matches_narrow', { msg_ids: [id, 0, 2_147_483_647], narrow })).messages;
    expect(await matches([['channel', 'news']])).toEqual({});
    expect(await matches([])).toEqual({});
    expect((await bob.get('/messages/matches_narrow', { msg_ids: [id], narrow: [['is', 'x']] })).code).toBe(
      'BAD_NARROW',
    );
  });
});

describe('POST /messages/render', () => {
  test('shows what a message would look like', async () => {
    const { alice } = await realm();
    const rendered = async (content: string) => (await alice.post('/messages/render', { content })).rendered;
    expect(await rendered('1 < 2\n')).toBe('<p>1 &lt; 2</p>');
    expect(await rendered(' ')).toBe('');
    expect(await rendered('x'.repeat(10_001))).toContain('[message truncated]');
  });
});

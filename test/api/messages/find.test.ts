import { describe, expect, test } from 'vitest';

import { type Json, type Person, realm, say, subscribe, tell } from '../../support/index.ts';
import { fetchIn, find } from './newsroom.ts';

/** The ids of those of these messages that somebody may read. */
async function idsOf(who: Person, message_ids: number[]): Promise<number[]> {
  const reply = await who.get('/messages', { message_ids });
  expect(reply).toMatchObject({ result: 'success' });
  return reply.messages.map(({ id }: Json) => id);
}

describe('a narrow', () => {
  async function place() {
    const people = await realm();
    const { alice, bob, carol, guest } = people;
    await subscribe(alice, 'news', [alice, bob, guest]);
    await subscribe(alice, 'secret', [alice], { invite_only: true });
    const sent = {
      weather: await say(alice, 'news', 'Weather', 'see https://example.com'),
      sports: await say(bob, 'news', 'sports'),
      resolved: await say(alice, 'news', '✔ done'),
      nameless: await say(alice, 'news', ''),
      secret: await say(alice, 'secret', 'plans'),
      direct: await tell(alice, [bob]),
      group: await tell(carol, [alice, bob]),
      note: await tell(alice, [alice]),
    };
    const { streams } = await alice.get('/streams');
    const channelId = streams.find(({ name }: Json) => name === 'news').stream_id;
    return { ...people, sent, channelId };
  }

  test('understands every operator, by its names and by ids, and the opposite of each', async () => {
    const { alice, bob, carol, sent, channelId } = await place();
    const everything = Object.values(sent);
    const { weather, sports, resolved, nameless, secret, direct, group, note } = sent;
    const news = [weather, sports, resolved, nameless];
    const cases: [string, unknown, number[]][] = [
      ['channel', 'NEWS', news],
      ['channel', channelId, news],
      ['stream', 'news', news],
      ['channels', 'public', news],
      ['streams', 'public', news],
      ['channels', 'web-public', []],
      ['topic', 'weather', [weather]],
      ['topic', '', [nameless]],
      ['topic', 'general chat', [nameless]],
      ['topic', 'no such topic', []],
      ['sender', bob.email, [sports]],
      ['sender', bob.id, [sports]],
      ['dm', bob.email, [direct]],
      ['dm', [bob.id], [direct]],
      ['dm', [carol.id, bob.id], [group]],
      ['pm-with', `${bob.email}, ${carol.email}`, [group]],
      ['dm', [alice.id], [note]],
      ['dm-including', bob.id, [direct, group]],
      ['pm-including', bob.email, [direct, group]],
      ['group-pm-with', bob.email, [group]],
      ['is', 'dm', [direct, group, note]],
      ['is', 'private', [direct, group, note]],
      ['is', 'unread', everything],
      ['is', 'resolved', [resolved]],
      ['is', 'starred', []],
      ['is', 'mentioned', []],
      ['has', 'link', [weather]],
      ['has', 'image', []],
      ['in', 'all', everything],
      ['in', 'home', everything],
      ['id', secret, [secret]],
      ['id', String(secret), [secret]],
      ['near', secret, everything],
    ];
    for (const [operator, operand, expected] of cases) {
      const what = JSON.stringify([operator, operand]);
      const sorted = [...expected].sort((a, b) => a - b);
      expect(await find(alice, { operator, operand }), what).toEqual(sorted);
      expect(await find(alice, [operator, operand]), what).toEqual(sorted);
      const opposite = everything.filter((id) => !expected.includes(id));
      expect(await find(alice, { operator, operand, negated: true }), `not ${what}`).toEqual(opposite);
    }
  });

  test('keeps to all terms at once', async () => {
    const { alice, sent } = await place();
    expect(await find(alice, ['channel', 'news'], ['sender', alice.email], ['has', 'link'])).toEqual([
      sent.weather,
    ]);
    expect(
      await find(alice, ['channel', 'news'], { operator: 'topic', operand: 'weather', negated: true }),
    ).toEqual([sent.sports, sent.resolved, sent.nameless]);
  });

  test('says what it cannot resolve', async () => {
    const { alice, bob, carol, guest } = await place();
    const [{ alice: outsider }] = [await realm()];
    const refused = async (who: Person, ...narrow: Json[]) => {
      const reply = await fetchIn(who, narrow);
      expect(reply, JSON.stringify(narrow)).toMatchObject({
        result: 'error',
        code: 'BAD_NARROW',
        desc: expect.any(String),
        msg: expect.stringContaining('The narrow is not valid: '),
      });
    };
    await refused(alice, ['flavour', 'sweet']);
    await refused(alice, ['is', 'dm'], ['channel', 'news']);
    await refused(alice, ['dm', bob.email], ['topic', 'weather']);
    await refused(alice, ['search', ' ']);
    await refused(alice, ['with', 2_000_000_000]);
    await refused(alice, ['with', 'abc']);
    await refused(alice, ['constructor', 'x']);
    await refused(alice, ['channel', 'nowhere']);
    await refused(alice, ['channel', Number.MAX_SAFE_INTEGER]);
    await refused(alice, ['sender', 'nobody@example.com']);
    await refused(alice, ['sender', outsider.id]);
    await refused(alice, ['sender', Number.MAX_SAFE_INTEGER]);
    await refused(alice, { operator: 'dm', operand: [bob.id, 999] });
    await refused(alice, ['is', 'purple']);
    await refused(alice, ['has', 'toString']);
    await refused(alice, ['in', 'nowhere']);
    await refused(alice, ['id', 'abc']);
    await refused(alice, ['id', -1]);
    await refused(bob, ['channel', 'secret']);
    await refused(carol, ['channel', 'secret']);
    await refused(guest, ['channel', 'secret']);
    expect(await fetchIn(alice, [[1, 2]])).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await fetchIn(alice, 'x')).toMatchObject({
      msg: 'narrow must be JSON.',
    });
  });
});

describe('what may be read', () => {
  test('is, of a public channel, also what was said before or without the reader', async () => {
    const { alice, bob, carol, guest } = await realm();
    await subscribe(alice, 'news', [alice]);
    const before = await say(alice, 'news', 't');
    await subscribe(alice, 'news', [bob, guest]);
    const after = await say(alice, 'news', 't');

    for (const reader of [bob, carol]) {
      expect(await find(reader, ['channel', 'news']), reader.name).toEqual([before, after]);
      expect(await find(reader, ['channels', 'public']), reader.name).toEqual([before, after]);
    }
    // Without a narrow: what each received.
    expect(await find(bob)).toEqual([after]);
    expect(await find(carol)).toEqual([]);
    expect(await find(guest, ['channel', 'news'])).toEqual([before, after]);
  });

  test('is, of a private channel, for its subscribers alone', async () => {
    const { alice, bob, carol, owner } = await realm();
    await subscribe(alice, 'secret', [alice], { invite_only: true, history_public_to_subscribers: true });
    const before = await say(alice, 'secret', 't');
    await subscribe(alice, 'secret', [bob]);
    expect(await find(bob, ['channel', 'secret'])).toEqual([before]);
    expect(await fetchIn(carol, [['channel', 'secret']])).toMatchObject({
      code: 'BAD_NARROW',
    });
    // An administrator knows that it exists.
    expect(await find(owner, ['channel', 'secret'])).toEqual([]);
    for (const outsider of [carol, owner]) {
      expect(await find(outsider, ['topic', 't'])).toEqual([]);
      expect(await idsOf(outsider, [before])).toEqual([]);
      expect(await outsider.get(`/messages/${before}`)).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'These messages do not exist, or you do not have access to them.',
      });
    }
  });

  test('is, where history is protected, only what was received', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'secret', [alice], { invite_only: true });
    const before = await say(alice, 'secret', 't');
    await subscribe(alice, 'secret', [bob]);
    const after = await say(alice, 'secret', 't');
    expect(await find(alice, ['channel', 'secret'])).toEqual([before, after]);
    expect(await find(bob, ['channel', 'secret'])).toEqual([after]);
    expect(await bob.get(`/messages/${before}`)).toMatchObject({
      msg: 'These messages do not exist, or you do not have access to them.',
    });
    expect((await bob.get(`/messages/${after}`)).message.id).toBe(after);
  });

  test('is never somebody else’s conversation, nor another organization’s', async () => {
    const { alice, bob, carol, owner } = await realm();
    const { alice: outsider } = await realm();
    const id = await tell(alice, [bob]);
    for (const other of [carol, owner, outsider]) {
      expect(await find(other), other.name).toEqual([]);
      expect(await other.get(`/messages/${id}`)).toMatchObject({
        msg: 'These messages do not exist, or you do not have access to them.',
      });
      expect(await idsOf(other, [id])).toEqual([]);
    }
    expect(await find(carol, { operator: 'dm-including', operand: bob.id })).toEqual([]);
  });
});

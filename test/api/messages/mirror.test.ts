import { describe, expect, test } from 'vitest';

import {
  type Params,
  type Person,
  createChannel,
  letForge,
  outcomeOf,
  realm,
  succeed,
} from '../../support/index.ts';

/** A program that mirrors a channel of another service, as Echo, with the permission for it. */
async function mirroredRealm() {
  const people = await realm();
  const { alice, bob, bot } = people;
  await letForge(bot);
  await createChannel(alice, 'bridge', [alice, bob, bot]);
  return {
    alice,
    bob,
    bot,
    carol: people.carol,
    guest: people.guest,
    owner: people.owner,
    home: people.realm,
  };
}

const mirror = async (by: Person, from: string | undefined, more: Params = {}) =>
  by.post('/messages', {
    type: 'channel',
    to: 'bridge',
    topic: 'irc',
    content: 'from afar',
    client: 'irc_mirror',
    forged: 'yes',
    sender: from,
    ...more,
  });

const notAllowed = 'You do not have permission to do this.';
const invalid = 'This mirrored message is not complete.';

describe('a program that mirrors another service', () => {
  test('sends in the name of others, at times that are past', async () => {
    const { alice, bob, bot } = await mirroredRealm();
    const phone = await alice.listen();
    const { id } = await succeed(mirror(bot, bob.email.toUpperCase(), { time: 1_600_000_000.9 }));
    const sent = {
      id,
      sender_id: bob.id,
      timestamp: 1_600_000_000,
      client: 'irc_mirror',
      content: 'from afar',
    };
    expect((await phone.hears()).at(-1)).toMatchObject({ type: 'message', message: sent });
    expect((await alice.get(`/messages/${id}`, { apply_markdown: false })).message).toMatchObject(sent);
    const own = await succeed(mirror(bot, undefined, { time: 1_500_000_000, client: 'import' }));
    expect((await alice.get(`/messages/${own.id}`)).message).toMatchObject({
      sender_id: bot.id,
      timestamp: 1_500_000_000,
    });
    const { timestamp } = (await alice.get(`/messages/${(await succeed(mirror(bot, alice.email))).id}`))
      .message;
    expect(timestamp).toBeGreaterThan(1_700_000_000);
    const direct = { type: 'direct', to: [bob.email, bot.email] };
    const told = await succeed(mirror(bot, alice.email, direct));
    expect((await bob.get(`/messages/${told.id}`)).message).toMatchObject({ sender_id: alice.id });
  });

  test('needs the permission for it, whatever its name', async () => {
    const { alice, bob, owner } = await mirroredRealm();
    const outcome = async (by: Person, more: Params) => outcomeOf(await mirror(by, bob.email, more));
    expect(await outcome(alice, {})).toBe(notAllowed);
    expect(await outcome(owner, {})).toBe(notAllowed);
    expect(await outcome(alice, { forged: undefined })).toBe(notAllowed);
    expect(await outcome(alice, { sender: undefined })).toBe(notAllowed);
    expect(await outcome(alice, { type: 'direct', to: [alice.email] })).toBe(notAllowed);
    expect(await outcome(alice, { sender: undefined, forged: 'no', time: 1 })).toBe(
      "Only a message that is sent in another user's name can have a time of its own.",
    );
    expect(await outcome(alice, { sender: undefined, forged: 'no' })).toBe('ok');
  });

  test('sends only what can be', async () => {
    const { bot, bob, alice, carol, guest, owner } = await mirroredRealm();
    const outcome = async (from: string, more: Params = {}) => outcomeOf(await mirror(bot, from, more));
    expect(await outcome(bob.email, { client: 'bridge' })).toBe(invalid);
    expect(await outcome('nobody@example.com')).toBe(invalid);
    expect(await outcome((await realm()).bob.email)).toBe(invalid);
    expect(await outcome(bob.email, { type: 'direct', to: [alice.id] })).toBe(
      'A mirrored message names its recipients by email address, not by id.',
    );
    expect(await outcome(bob.email, { type: 'direct', to: [alice.email] })).toBe(invalid);
    expect(await outcome(bob.email, { time: 99_999_999_999 })).toBe("'time' is too large.");
    expect(await outcome(bob.email, { time: -1 })).toBe('time is too small.');
    expect(await outcome(bob.email, { forged: 'maybe' })).toBe('forged is not valid.');
    expect(await outcome(guest.email), 'whoever may not write there themselves').toBe(
      'You do not have permission to post in this channel.',
    );
    await owner.delete(`/users/${carol.id}`);
    expect(await outcome(carol.email)).toBe(invalid);
  });

  test('is not given back what it has sent', async () => {
    const { alice, bob, bot } = await mirroredRealm();
    await mirror(bot, bob.email);
    const [same, other, plain] = [
      await bot.listen({ client: 'irc_mirror' }),
      await bot.listen({ client: 'another_mirror' }),
      await bot.listen({ client: 'irc' }),
    ];
    await succeed(mirror(bot, bob.email, { content: 'one' }));
    await succeed(mirror(alice, undefined, { forged: 'no', client: 'website', content: 'two' }));
    const contents = async (listener: typeof same) =>
      (await listener.hears()).map(({ message }) => message?.content).filter(Boolean);
    expect(await contents(same)).toEqual(['two']);
    expect(await contents(other)).toEqual(['one', 'two']);
    expect(await contents(plain)).toEqual(['one', 'two']);
  });
});

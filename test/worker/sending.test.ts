import { senderById } from '@parley/engine';
import { describe, expect, test } from 'vitest';

import { type Person, createChannel, getWorld, permit, realm, succeed } from '../support/index.ts';

/** Sends as a worker does: without the sender's credentials. */
async function send(
  { id, realm: home }: Person,
  to: { channel: string } | { users: number[] },
  content: string,
) {
  const { engine } = await getWorld();
  const recipient =
    'channel' in to
      ? ({ type: 'channel', channel: to.channel, topic: ' later ' } as const)
      : ({ type: 'direct', users: to.users } as const);
  const text = { content, client: 'worker', readBySender: false, echo: null };
  return await engine.sendMessage({ realm: home, sender: senderById(home, id), recipient, text });
}

describe('a worker', () => {
  test('sends a message for somebody with one call', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen({ event_types: ['message'] });
    const { messageId } = await send(alice, { users: [bob.id] }, '  Good morning\n');
    expect(await phone.hears()).toMatchObject([
      { message: { id: messageId, sender_id: alice.id, content: '  Good morning', client: 'worker' } },
    ]);
  });

  test('sends with all that a message brings along', async () => {
    const { alice, bob } = await realm();
    await createChannel(alice, 'news', [alice, bob]);
    const phone = await bob.listen({ event_types: ['message'] });
    const { messageId } = await send(alice, { channel: 'news' }, 'for @**Bob**');
    expect(await phone.hears()).toMatchObject([
      { message: { id: messageId, subject: 'later' }, flags: ['mentioned'] },
    ]);
  });

  test('sends by the rules of the moment, whatever it remembers of the last message', async () => {
    const people = await realm();
    const { alice, bob, owner } = people;
    const channel = await createChannel(owner, 'news', [owner, alice, bob]);
    const sending = () => send(alice, { channel: 'news' }, 'x');
    const [first, second] = [await sending(), await sending()];
    expect(second.messageId).toBeGreaterThan(first.messageId);
    await permit(people, 'can_send_message_group', 'role:administrators', channel);
    await expect(sending()).rejects.toThrow('You do not have permission to post in this channel.');
    await expect(send(alice, { channel: 'news' }, 'for @**Bob**')).rejects.toThrow('permission to post');
  });

  test('sends nothing for an account that is not in use, nor what nobody may send', async () => {
    const { alice, bob, owner } = await realm();
    await send(alice, { users: [bob.id] }, 'x');
    await expect(send(alice, { users: [bob.id] }, ' \n')).rejects.toThrow('The message is empty.');
    await expect(send(alice, { channel: 'nowhere' }, 'x')).rejects.toThrow('There is no channel called');
    await succeed(owner.delete(`/users/${alice.id}`));
    await expect(send(alice, { users: [bob.id] }, 'x')).rejects.toThrow('This account is deactivated.');
  });
});

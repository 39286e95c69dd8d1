import { describe, expect, test } from 'vitest';

import { realm, tell } from '../support/index.ts';

describe('/users/me/muted_users/{muted_user_id}', () => {
  test('reads what somebody sent, and what they send from now on', async () => {
    const { alice, bob, carol } = await realm();
    const say = () => bob.post('/messages', { type: 'direct', to: [alice.id], content: 'hey' });
    const { id } = await say();
    await tell(carol, [alice], 'hey');
    const phone = await alice.listen();

    expect(await alice.post(`/users/me/muted_users/${bob.id}`)).toEqual({ result: 'success', msg: '' });
    await say();
    await alice.delete(`/users/me/muted_users/${bob.id}`);
    await say();

    expect(await phone.hears()).toMatchObject([
      { type: 'update_message_flags', op: 'add', flag: 'read', messages: [id] },
      { type: 'muted_users', muted_users: [{ id: bob.id, timestamp: expect.any(Number) }] },
      { type: 'message', flags: ['read'] },
      { type: 'muted_users', muted_users: [] },
      { type: 'message', flags: [] },
    ]);
  });

  test('refuses oneself, nobody, and what is so already', async () => {
    const { alice, bob, bot } = await realm();
    const other = await realm();
    const mute = async (id: number) => (await alice.post(`/users/me/muted_users/${id}`)).msg;
    const unmute = async (id: number) => (await alice.delete(`/users/me/muted_users/${id}`)).msg;
    expect(await mute(alice.id)).toBe('You cannot mute yourself.');
    expect(await mute(other.bob.id)).toBe('This user does not exist.');
    expect(await mute(bob.id)).toBe('');
    expect(await mute(bob.id)).toBe('You have already muted this user.');
    expect(await mute(bot.id)).toBe('');
    expect(await unmute(bob.id)).toBe('');
    expect(await unmute(bob.id)).toBe('You have not muted this user.');
    const { registered } = await alice.listen({ fetch_event_types: ['muted_users'] });
    expect(registered.muted_users.map(({ id }: { id: number }) => id)).toEqual([bot.id]);
  });
});

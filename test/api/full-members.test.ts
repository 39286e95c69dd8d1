import { describe, expect, test } from 'vitest';

import {
  type Person,
  type TestRealm,
  createChannel,
  groupId,
  permit,
  realm,
  runRecurring,
  succeed,
} from '../support/index.ts';

const day = 86_400_000;

const inDays = (days: number) => ({ clock: { nowMs: () => Date.now() + days * day } });

async function fullMembers(by: Person): Promise<number[]> {
  const { realm_user_groups: groups } = await by.post('/register', {
    fetch_event_types: ['realm_user_groups'],
  });
  return groups.find(({ name }: { name: string }) => name === 'role:fullmembers').members;
}

const setWaitingPeriod = ({ owner }: TestRealm, days: number) =>
  succeed(owner.patch('/realm', { waiting_period_threshold: days }));

const subscribe = (by: Person, name: string) =>
  by.post('/users/me/subscriptions', { subscriptions: [{ name }] });

describe('the waiting period', () => {
  test('takes new members out of the full members, and their permissions with it', async () => {
    const people = await realm();
    const { owner, moderator, alice, bob, carol, bot } = people;
    const waiting = [alice.id, bob.id, carol.id, bot.id];
    await permit(people, 'can_create_public_channel_group', 'role:fullmembers');
    expect(await fullMembers(owner)).toEqual(waiting);
    expect(await subscribe(alice, 'before')).toMatchObject({ result: 'success' });

    const phone = await bob.listen({ event_types: ['user_group'] });
    await setWaitingPeriod(people, 3);
    const group_id = await groupId(owner, 'role:fullmembers');
    expect(await phone.hears()).toMatchObject([{ op: 'remove_members', group_id, user_ids: waiting }]);
    expect(await fullMembers(owner)).toEqual([]);
    expect(await subscribe(alice, 'after')).toMatchObject({ result: 'error' });
    expect(await subscribe(moderator, 'after')).toMatchObject({ result: 'success' });
  });

  test('ends for those who have been there long enough, and newcomers wait', async () => {
    const people = await realm();
    const { owner, alice, bob, carol, bot, join } = people;
    await permit(people, 'can_create_public_channel_group', 'role:fullmembers');
    await setWaitingPeriod(people, 3);
    const newcomer = await join({ name: 'Newcomer' });
    expect(await fullMembers(owner)).toEqual([]);

    const phone = await alice.listen({ event_types: ['user_group'] });
    await runRecurring('full-members', inDays(2.9));
    expect(await phone.hears()).toEqual([]);
    await runRecurring('full-members', inDays(3.1));
    const ids = [alice.id, bob.id, carol.id, bot.id, newcomer.id];
    expect(await phone.hears()).toMatchObject([{ op: 'add_members', user_ids: ids }]);
    expect(await fullMembers(owner)).toEqual(ids);
    expect(await subscribe(alice, 'ours')).toMatchObject({ result: 'success' });
    await runRecurring('full-members', inDays(4));
    expect(await phone.hears(), 'it ends once').toEqual([]);
  });

  test('hides and shows the private channels that full members may enter', async () => {
    const people = await realm();
    const { owner, alice } = people;
    const id = await createChannel(owner, 'inner', [owner], { invite_only: true });
    await permit(people, 'can_subscribe_group', 'role:fullmembers', id);
    const phone = await alice.listen({ event_types: ['stream'] });
    await setWaitingPeriod(people, 3);
    expect(await phone.hears()).toMatchObject([{ op: 'delete', stream_ids: [id] }]);
    expect(await alice.get(`/streams/${id}`)).toMatchObject({ result: 'error' });
    await runRecurring('full-members', inDays(3.1));
    expect(await phone.hears()).toMatchObject([{ op: 'create', streams: [{ stream_id: id }] }]);
    expect(await alice.get(`/streams/${id}`)).toMatchObject({ result: 'success' });
  });

  test('is shortened and lengthened for those who are there', async () => {
    const people = await realm();
    const { owner, alice } = people;
    await setWaitingPeriod(people, 3);
    const phone = await alice.listen({ event_types: ['user_group'] });
    await setWaitingPeriod(people, 5);
    expect(await phone.hears()).toEqual([]);
    await setWaitingPeriod(people, 0);
    expect(await phone.hears()).toMatchObject([{ op: 'add_members' }]);
    expect(await fullMembers(owner)).toContain(alice.id);
  });
});

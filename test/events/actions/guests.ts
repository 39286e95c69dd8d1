import { roles } from '@parley/protocol';

import {
  type Person,
  type TestRealm,
  channelId,
  createChannel,
  leave,
  permit,
  say,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';
import { type Actions, type Exercised, inNewRealm } from './action.ts';

/** Whether guests see everybody, or only those they have to do with. */
export const letSee = (owner: Person, group: 'role:everyone' | 'role:members') =>
  permit({ owner }, 'can_access_all_users_group', group);

/** The guest is in a channel with the owner and Alice, and has talked with the moderator. */
async function prepare({ owner, moderator, alice, bob, carol, guest, admin }: TestRealm): Promise<void> {
  await createChannel(owner, 'here', [owner, alice, guest]);
  await createChannel(owner, 'elsewhere', [owner, bob, carol]);
  await tell(moderator, [guest]);
  for (const person of [alice, bob, admin]) {
    await succeed(person.post('/users/me/status', { status_text: 'busy' }));
  }
}

async function restricted(people: TestRealm): Promise<void> {
  await prepare(people);
  await letSee(people.owner, 'role:members');
}

/** Guests who see only those they have to do with. */
export const actions: Actions = {
  async 'guests who from now on see fewer people'(people) {
    const { owner, join } = people;
    await prepare(people);
    const other = await join({ name: 'Visitor', role: roles.guest });
    await subscribe(owner, 'elsewhere', [other]);
    const gone = await join({ name: 'Former' });
    await succeed(owner.delete(`/users/${gone.id}`));
    return () => letSee(owner, 'role:members');
  },

  'guests who from now on see everybody': inNewRealm(async (people) => {
    await restricted(people);
    const gone = await people.join({ name: 'Former' });
    await succeed(people.owner.delete(`/users/${gone.id}`));
    return () => letSee(people.owner, 'role:everyone');
  }),

  'a guest who meets people and loses sight of them': inNewRealm(async (people) => {
    const { owner, alice, bob, carol, guest } = people;
    await restricted(people);
    await createChannel(bob, 'third', [bob, alice]);
    return async () => {
      await subscribe(owner, 'elsewhere', [guest]);
      await subscribe(carol, 'here', [carol]);
      await leave(guest, ['elsewhere']);
      await leave(owner, ['here'], [alice]);
      await createChannel(bob, 'new', [bob, guest]);
      await succeed(carol.patch('/users/me/subscriptions', { add: [{ name: 'third' }], delete: ['here'] }));
      await subscribe(owner, 'third', [guest]);
    };
  }),

  'a guest to whom strangers write': inNewRealm(async (people) => {
    const { bob, carol, owner, guest } = people;
    await restricted(people);
    return async () => {
      await say(bob, 'here');
      await tell(bob, [guest, carol]);
      await say(bob, 'here');
      await subscribe(owner, 'here', [bob]);
      await say(bob, 'here');
    };
  }),

  'strangers of a guest who come, change and go': inNewRealm(async (people) => {
    const { owner, bob, carol, admin, join } = people;
    await restricted(people);
    await succeed(owner.post('/default_streams', { stream_id: await channelId(owner, 'here') }));
    return async () => {
      await join({ name: 'Newcomer' });
      await join({ name: 'Visitor', role: roles.guest });
      await succeed(owner.patch(`/users/${bob.id}`, { full_name: 'Bobby', role: 300 }));
      await succeed(admin.patch('/settings', { email_address_visibility: 3 }));
      await succeed(admin.post('/users/me/status', { status_text: '' }));
      await succeed(owner.delete(`/users/${carol.id}`));
      await succeed(owner.post(`/users/${carol.id}/reactivate`));
    };
  }),

  'people who become guests that see some, and are so no more': inNewRealm(async (people) => {
    const { owner, alice, bob, guest } = people;
    await restricted(people);
    await succeed(bob.patch('/settings', { email_address_visibility: 2 }));
    return async () => {
      await succeed(owner.patch(`/users/${alice.id}`, { role: 600 }));
      await succeed(owner.patch(`/users/${guest.id}`, { role: 400 }));
      await succeed(owner.patch(`/users/${bob.id}`, { role: 600 }));
      await succeed(owner.patch(`/users/${bob.id}`, { role: 300 }));
    };
  }),

  'a bot of a guest, which is taken away': inNewRealm(async (people) => {
    const { owner, bob, guest, join } = people;
    const spare = await join({ name: 'Spare', botType: 1, botOwnerId: guest.id });
    await restricted(people);
    return async () => {
      await say(spare, 'here');
      await succeed(owner.patch(`/bots/${spare.id}`, { bot_owner_id: bob.id }));
      const { api_key } = await succeed(bob.post(`/bots/${spare.id}/api_key/regenerate`));
      await say(spare.withKey(api_key), 'here');
    };
  }),
};

export const exercised: Exercised = {
  'model/access-changes/events': 'a guest who meets people and loses sight of them',
};

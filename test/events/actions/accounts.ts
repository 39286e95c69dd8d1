import { roles } from '@parley/protocol';
import { expect } from 'vitest';

import {
  type Person,
  confirmEmail,
  confirmationPath,
  letManageAccounts,
  say,
  subscribe,
  succeed,
} from '../../support/index.ts';
import { type Actions, type Exercised, inNewRealm } from './action.ts';

/** Who is there, and with which role. */
export const actions: Actions = {
  async 'a new member'({ join }) {
    return () => join({ name: 'Newcomer' });
  },

  async 'a new owner, administrator and moderator'({ join }) {
    return async () => {
      for (const role of [roles.owner, roles.administrator, roles.moderator]) {
        await join({ name: `Number ${role}`, role });
      }
    };
  },

  async 'a new guest'({ join }) {
    return () => join({ name: 'Visitor', role: roles.guest });
  },

  async 'a new bot'({ join, alice }) {
    return () => join({ name: 'Robot', botType: 1, botOwnerId: alice.id });
  },

  'a new member who is subscribed and writes': inNewRealm(async ({ join, alice }) => {
    await subscribe(alice, 'news');
    return async () => {
      const newcomer = await join({ name: 'Newcomer' });
      await subscribe(alice, 'news', [newcomer]);
      await say(newcomer, 'news');
    };
  }),

  async 'a newcomer whose address only some may know'({ owner, join }) {
    return async () => {
      for (const visibility of [2, 5, 3, 4]) {
        await succeed(owner.patch('/realm/user_settings_defaults', { email_address_visibility: visibility }));
        await join({ name: `Shy ${visibility}` });
      }
    };
  },

  'changing names, addresses and roles of others': inNewRealm(async ({ owner, alice, bob, bot }) => {
    await letManageAccounts(owner);
    await succeed(bob.patch('/settings', { email_address_visibility: 3 }));
    return async () => {
      await succeed(owner.patch(`/users/${alice.id}`, { full_name: 'Alina', role: 300 }));
      await succeed(owner.patch(`/users/${bot.id}`, { full_name: 'Robot', role: 600 }));
      await succeed(owner.patch(`/users/user${bob.id}@${bob.realm.emailDomain}`, { role: 600 }));
      const newcomer = await succeed(
        owner.post('/users', { email: 'n@example.com', password: 'correct horse', full_name: 'New' }),
      );
      await succeed(owner.patch(`/users/${newcomer.user_id}`, { new_email: 'm@example.com' }));
      await succeed(owner.patch('/users/m@example.com', { full_name: 'Newer' }));
    };
  }),

  async 'up and down through all roles'({ owner, alice, bob, carol, guest, moderator, join }) {
    await subscribe(bob, 'open', [bob, guest]);
    await subscribe(alice, 'mine', [alice]);
    await subscribe(moderator, 'secret', [moderator, bob], { invite_only: true });
    await subscribe(bob, 'hers', [bob, carol], { invite_only: true });
    await say(bob, 'open');
    for (const [index, visibility] of [2, 3, 4, 5].entries()) {
      const shy = await join({ name: `Shy ${index}` });
      await succeed(shy.patch('/settings', { email_address_visibility: visibility }));
    }
    return async () => {
      for (const role of [300, 200, 100, 200, 300, 400, 600, 400, 100, 600, 300]) {
        const allowed = role <= 200 ? [400, role] : [role];
        for (const to of allowed) await succeed(owner.patch(`/users/${alice.id}`, { role: to }));
      }
      await succeed(owner.patch(`/users/${carol.id}`, { role: 600 }));
      await succeed(owner.patch(`/users/${guest.id}`, { role: 400 }));
    };
  },

  async 'an account that ends'({ admin, alice, guest, moderator, join }) {
    const dora = await join({ name: 'Dora' });
    await join({ name: 'Doras bot', botType: 1, botOwnerId: dora.id });
    const gone = await join({ name: 'Gone', role: roles.guest });
    await subscribe(alice, 'news', [alice, dora, guest, gone]);
    await subscribe(moderator, 'secret', [moderator, dora], { invite_only: true });
    return async () => {
      await succeed(admin.delete(`/users/${dora.id}`));
      await succeed(gone.delete('/users/me'));
    };
  },

  'an account that ends and begins again': inNewRealm(
    async ({ admin, alice, bob, guest, moderator, join }) => {
      const dora = await join({ name: 'Dora' });
      const robot = await join({ name: 'Doras bot', botType: 1, botOwnerId: dora.id });
      const gone = await join({ name: 'Gone', role: roles.guest });
      await subscribe(alice, 'news', [alice, dora, guest, gone]);
      await subscribe(moderator, 'secret', [moderator, dora], { invite_only: true });
      return async () => {
        for (const one of [dora, gone]) await succeed(admin.delete(`/users/${one.id}`));
        await say(alice, 'news');
        await succeed(admin.patch(`/users/${dora.id}`, { full_name: 'Theodora', role: 300 }));
        for (const one of [dora, gone, robot]) await succeed(admin.post(`/users/${one.id}/reactivate`));
        await say(dora, 'news');
        await subscribe(alice, 'news', [bob]);
      };
    },
  ),

  'a new address of one’s own, which is confirmed': inNewRealm(async ({ join }) => {
    const dora = await join({ name: 'Dora' });
    await succeed(dora.patch('/settings', { email: 'dora@new.example' }));
    const path = await confirmationPath(dora);
    return () => expectConfirmed(dora, path);
  }),

  async 'bots of all kinds, changed, given away and ended'({ owner, admin, alice, bob, join }) {
    await subscribe(alice, 'news', [alice]);
    const spare = await join({ name: 'Spare', botType: 1, botOwnerId: alice.id });
    const make = (by: Person, name: string, more: object = {}) =>
      succeed(by.post('/bots', { full_name: name, short_name: name.toLowerCase(), ...more }));
    const outgoing = { bot_type: 3, payload_url: '"https://bots.example/a"' };
    const own = await make(alice, 'Own', { default_sending_stream: 'news' });
    return async () => {
      const caller = await make(alice, 'Caller', outgoing);
      await make(admin, 'Writer', { bot_type: 2, default_all_public_streams: true });
      const path = `/bots/${caller.user_id}`;
      await succeed(
        alice.patch(path, { service_payload_url: '"https://bots.example/b"', service_interface: 2 }),
      );
      await succeed(alice.patch(path, { full_name: 'Called', default_events_register_stream: 'news' }));
      await succeed(admin.patch(path, { role: 300 }));
      await succeed(alice.post(`/bots/${own.user_id}/api_key/regenerate`));
      await succeed(spare.post('/users/me/api_key/regenerate'));
      await succeed(admin.patch(path, { bot_owner_id: bob.id }));
      await succeed(bob.patch(path, { bot_owner_id: owner.id }));
      await succeed(owner.patch(`/bots/${own.user_id}`, { bot_owner_id: bob.id }));
      await succeed(bob.delete(`/bots/${own.user_id}`));
      await succeed(admin.post(`/users/${own.user_id}/reactivate`));
      await succeed(owner.delete(path));
    };
  },
};

async function expectConfirmed(person: Person, path: string): Promise<void> {
  expect((await confirmEmail(person, path)).status).toBe(200);
}

export const exercised: Exercised = {
  'actions/sessions/end': null,
  'actions/sessions/events': null,
  'actions/sessions/start': null,
  'actions/users/change-password': null,
  'actions/activation/deactivate': 'an account that ends',
  'actions/activation/deactivate-bot': 'bots of all kinds, changed, given away and ended',
  'actions/activation/reactivate': 'an account that ends and begins again',
  'actions/activation/subscriptions': 'an account that ends and begins again',
  'actions/bots/create': 'bots of all kinds, changed, given away and ended',
  'actions/bots/edit': 'bots of all kinds, changed, given away and ended',
  'actions/channels/access-events': 'up and down through all roles',
  'actions/email-changes/confirm': 'a new address of one’s own, which is confirmed',
  'actions/users/ask-reset': null,
  'actions/users/create': 'a new member',
  'actions/users/edit': 'changing names, addresses and roles of others',
  'actions/users/regenerate-key': null,
  'actions/users/reset-password': null,
  'actions/users/set-password': null,
  'actions/users/set-rights': null,
  'actions/users/role': 'up and down through all roles',
  'model/bots/events': 'bots of all kinds, changed, given away and ended',
};

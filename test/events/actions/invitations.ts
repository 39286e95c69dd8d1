import { acceptInvitation, invitationKeyOf, joinByLink, permit, succeed } from '../../support/index.ts';
import type { Actions, Exercised } from './action.ts';

const emailsOf = (...names: string[]) => names.map((name) => `${name}@new.example`).join();

/** Who is asked to come. */
export const actions: Actions = {
  async 'inviting people, and revoking it'(people) {
    const { owner, admin, bob } = people;
    await permit(people, 'create_multiuse_invite_group', 'role:members');
    const invite = (by: typeof bob, ...names: string[]) =>
      succeed(by.post('/invites', { invitee_emails: emailsOf(...names), stream_ids: [] }));
    await invite(bob, 'old');
    await succeed(bob.post('/invites/multiuse'));
    const [link, old] = (await succeed(bob.get('/invites'))).invites;
    return async () => {
      await invite(admin, 'one', 'two');
      await invite(bob, 'three');
      await succeed(owner.post('/invites/multiuse', { invite_as: 100 }));
      await succeed(bob.post(`/invites/${old.id}/resend`));
      await succeed(admin.delete(`/invites/${old.id}`));
      await succeed(bob.delete(`/invites/multiuse/${link.id}`));
    };
  },

  async 'accepting invitations'(people) {
    const { owner, bob, realm } = people;
    const { id } = await succeed(owner.post('/channels/create', { name: 'first', subscribers: [owner.id] }));
    const link = await succeed(owner.post('/invites/multiuse', { stream_ids: [id], invite_as: 600 }));
    const ask = {
      invitee_emails: emailsOf('one'),
      stream_ids: [],
      include_realm_default_subscriptions: true,
    };
    await succeed(owner.post('/default_streams', { stream_id: id }));
    await succeed(bob.post('/invites', ask));
    return async () => {
      await acceptInvitation(realm, await invitationKeyOf('one@new.example'), 'First');
      await joinByLink(realm, link.invite_link, 'two@new.example');
      await acceptInvitation(realm, await invitationKeyOf('two@new.example'), 'Second');
    };
  },

  async 'deactivating somebody who has invited'({ owner, join }) {
    const gone = await join({ name: 'Gone' });
    await succeed(gone.post('/invites', { invitee_emails: emailsOf('left'), stream_ids: [] }));
    return () => succeed(owner.delete(`/users/${gone.id}`));
  },
};

export const exercised: Exercised = {
  'actions/invitations/accept': 'accepting invitations',
  'actions/invitations/create-link': 'inviting people, and revoking it',
  'actions/invitations/events': 'inviting people, and revoking it',
  'actions/invitations/invite': 'inviting people, and revoking it',
  'actions/invitations/join-by-link': null,
  'actions/invitations/resend': null,
  'actions/invitations/revoke': 'deactivating somebody who has invited',
};

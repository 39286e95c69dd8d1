import { attachments } from '@parley/actions';

import { type Person, getWorld, say, subscribe, succeed, tell, upload } from '../../support/index.ts';
import type { Actions, Exercised } from './action.ts';

/** A new file, as one links to it in a message. */
const link = async (by: Person) => `[a.txt](${await upload(by)})`;

/** Uploads, and the messages that refer to them. */
export const actions: Actions = {
  async 'uploading a file'({ alice }) {
    return () => upload(alice);
  },

  async 'sending messages with files'({ alice, bob, guest }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    const [first, second] = [await link(alice), await link(alice)];
    return async () => {
      await say(alice, 'news', 't', `${first} ${second}.`);
      // Someone who may read it sends it on.
      await tell(bob, [guest], `look: ${first}`);
    };
  },

  async 'two people sending the same file at once'({ alice, bob }) {
    await subscribe(alice, 'news', [alice, bob]);
    const file = await link(alice);
    await say(alice, 'news', 't', file);
    return () => Promise.all([alice, bob, alice, bob].map((by) => say(by, 'news', 't', file)));
  },

  async 'taking files out of messages'(people) {
    const { alice, bob } = people;
    const file = await link(alice);
    const id = await tell(alice, [bob], file);
    await tell(alice, [bob], `again ${file}`);
    return () => succeed(alice.patch(`/messages/${id}`, { content: 'nothing' }));
  },

  async 'deleting a file that messages refer to'({ alice, bob }) {
    const file = await link(alice);
    await tell(alice, [bob], file);
    const [{ id }] = (await alice.get('/attachments')).attachments;
    return () => succeed(alice.delete(`/attachments/${id}`));
  },

  async 'a file that nobody needed'(people) {
    await upload(people.alice);
    const [{ id }] = (await people.alice.get('/attachments')).attachments;
    const { engine } = await getWorld();
    return () =>
      engine.perform(people.realm.id, attachments.expire, {
        realmId: people.realm.id,
        id,
        before: new Date(Date.now() + 60_000),
      });
  },
};

export const exercised: Exercised = {
  'actions/attachments/create': 'uploading a file',
  'actions/attachments/expire': 'a file that nobody needed',
  'actions/attachments/lock-referenced': 'sending messages with files',
  'actions/attachments/release': 'taking files out of messages',
  'actions/archive-imports/decide': null,
  'actions/archive-imports/upload': null,
  'actions/archive-imports/work': null,
  'actions/partial-uploads/append': null,
  'actions/partial-uploads/create': null,
  'actions/partial-uploads/remove': null,
  'actions/attachments/remove': 'deleting a file that messages refer to',
  'model/attachments/events': 'uploading a file',
};

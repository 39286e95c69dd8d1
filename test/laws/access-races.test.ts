import * as actions from '@parley/actions';
import type { Tx } from '@parley/db';
import * as model from '@parley/model';
import type { Actor } from '@parley/model';
import type { ActionResult } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import { asFollowed, follow, shown } from '../events/follower/index.ts';
import {
  type TestRealm,
  createChannel,
  emptyChannel,
  getWorld,
  groupId,
  leave,
  performDuring,
  performWhile,
  permit,
  realm,
  say,
  subscribe,
  succeed,
  tell,
} from '../support/index.ts';

describe('a change of a message that was moved', () => {
  type Change = (tx: Tx, actor: Actor, id: number) => Promise<ActionResult>;
  const alertWords = model.alertWords.createAlertWordCache();
  const silently = { notifiesOldThread: false, notifiesNewThread: false };
  const edit =
    (
      change: Pick<Parameters<typeof actions.messages.edit>[1], 'content' | 'topic' | 'propagateMode'>,
    ): Change =>
    (tx, actor, messageId) =>
      actions.messages.edit(tx, { actor, alertWords, messageId, ...silently, ...change });
  const changes: [string, Change][] = [
    [
      'reaction',
      (tx, actor, id) =>
        actions.reactions.add(tx, { actor, request: { message_id: id, emoji_name: 'tada' } }),
    ],
    ['update_message', edit({ content: 'y', propagateMode: 'change_one' })],
    ['update_message', edit({ topic: 'dinner', propagateMode: 'change_all' })],
    ['delete_message', (tx, actor, id) => actions.messages.deleteOne(tx, { actor, id })],
  ];

  test.each(changes)('(%s) is told to whoever leaves where it was sent meanwhile', async (type, change) => {
    const { owner, bob, realm: home } = await realm();
    await subscribe(owner, 'news', [owner, bob]);
    const stream_id = await createChannel(owner, 'talk', [owner]);
    const id = await say(owner, 'news', 'lunch');
    await succeed(owner.patch(`/messages/${id}`, { stream_id }));
    const phone = await bob.listen({ event_types: [type] });
    await performDuring(
      home,
      (tx) => change(tx, owner.actor, id),
      () => leave(bob, ['news']),
    );
    expect(await phone.hears()).toMatchObject([{ type }]);
  });
});

test('a stranger to a place neither waits for its lock nor holds it', async () => {
  const { alice, carol } = await realm();
  const id = await emptyChannel(alice, 'secret', [alice], { invite_only: true });
  const messageId = await say(alice, id);
  const { sql: database } = await getWorld();
  await database.begin(async (tx) => {
    await tx`
      select from conversations
      where id = (select conversation_id from messages where realm_id = ${alice.realm.id} and id = ${messageId})
      for update`;
    expect(await carol.post(`/messages/${messageId}/reactions`, { emoji_name: 'tada' })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await carol.patch(`/messages/${messageId}`, { content: 'x' })).toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});

test('whoever becomes a guest while they are first written to sees who wrote', async () => {
  const people = await realm();
  const { owner, alice, bob, realm: home } = people;
  await permit(people, 'can_access_all_users_group', 'role:members');
  const phone = await bob.listen({ event_types: ['realm_user'] });
  const runs = await performWhile(
    home,
    (tx) => actions.users.edit(tx, { actor: owner.actor, user: bob.id, role: 600 }),
    () => tell(alice, [bob]),
  );
  expect(runs).toBe(2);
  const lost = (await phone.hears()).filter(({ op }) => op === 'remove').map(({ person }) => person.user_id);
  expect(lost).toContain(people.carol.id);
  expect(lost).not.toContain(alice.id);
});

/** Guests may no longer see everybody. */
const limitation = async ({ owner }: TestRealm) => ({
  settings: {},
  permissions: { can_access_all_users_group: { new: await groupId(owner, 'role:members') } },
  nowMs: Date.now(),
});

test('a guest who comes while guests are limited to those they share channels with is limited', async () => {
  const people = await realm();
  const input = await limitation(people);
  let visitor = people.guest;
  let follower = await follow(visitor, 'modern');
  await performDuring(
    people.realm,
    (tx) => actions.realms.edit(tx, { actor: people.owner.actor, ...input }),
    async () => {
      visitor = await people.join({ name: 'Visitor', role: 600 });
      follower = await follow(visitor, 'modern');
    },
  );
  await follower.catchUp();
  const { state } = await follow(visitor, 'modern');
  expect(shown(follower.state)).toEqual(asFollowed(state, follower.state));
});

describe('somebody with whom a guest comes to share a channel stays in sight', () => {
  type Prepare = (people: TestRealm) => Promise<(tx: Tx) => Promise<ActionResult>>;
  const changes: [string, 'guest' | 'alice', Prepare][] = [
    [
      'leaves another',
      'guest',
      async (people) => {
        await permit(people, 'can_access_all_users_group', 'role:members');
        const input = { channels: ['other'], principals: [people.guest.id] };
        return (tx) => actions.channels.unsubscribe(tx, { actor: people.owner.actor, ...input });
      },
    ],
    [
      'becomes one',
      'alice',
      async (people) => {
        await permit(people, 'can_access_all_users_group', 'role:members');
        const input = { user: people.alice.id, role: 600 as const };
        return (tx) => actions.users.edit(tx, { actor: people.owner.actor, ...input });
      },
    ],
    [
      'may no longer see everybody',
      'guest',
      async (people) => {
        const input = await limitation(people);
        return (tx) => actions.realms.edit(tx, { actor: people.owner.actor, ...input });
      },
    ],
  ];
  test.each(changes)('when the guest %s', async (change, name, prepare) => {
    const people = await realm();
    const { owner, bob, [name]: guest, realm: home } = people;
    await createChannel(owner, 'news', [owner, guest]);
    await createChannel(owner, 'other', change === 'leaves another' ? [owner, guest, bob] : [owner]);
    const action = await prepare(people);
    const phone = await guest.listen({
      event_types: ['realm_user'],
      client_capabilities: { notification_settings_null: true, user_list_incomplete: true },
    });
    await performDuring(home, action, () => subscribe(owner, 'news', [bob]));
    const ofBob = (await phone.hears()).filter(({ person }) => person.user_id === bob.id);
    expect(ofBob.at(-1)?.op).not.toBe('remove');
  });
});

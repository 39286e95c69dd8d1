import * as actions from '@parley/actions';
import type { Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import type { ActionResult } from '@parley/protocol';
import { describe, expect, test, vi } from 'vitest';

import {
  createChannel,
  getWorld,
  leave,
  performWhile,
  permit,
  realm,
  say,
  subscribe,
  succeed,
  tell,
} from '../support/index.ts';

const until = (isSo: () => Promise<boolean>) => vi.waitUntil(isSo, { timeout: 20_000 });

describe('a change of a message that was moved', () => {
  type Change = (tx: Tx, actor: Actor, id: number) => Promise<ActionResult>;
  const silently = { notifiesOldThread: false, notifiesNewThread: false };
  const edit =
    (
      change: Pick<Parameters<typeof actions.messages.edit>[2], 'content' | 'topic' | 'propagateMode'>,
    ): Change =>
    (tx, actor, messageId) =>
      actions.messages.edit(tx, actor, { messageId, ...silently, ...change });
  const changes: [string, Change][] = [
    ['reaction', (tx, actor, id) => actions.reactions.add(tx, actor, { message_id: id, emoji_name: 'tada' })],
    ['update_message', edit({ content: 'y', propagateMode: 'change_one' })],
    ['update_message', edit({ topic: 'dinner', propagateMode: 'change_all' })],
    ['delete_message', actions.messages.deleteOne],
  ];

  test.each(changes)('(%s) is told to whoever leaves where it was sent meanwhile', async (type, change) => {
    const { owner, bob, realm: home } = await realm();
    await subscribe(owner, 'news', [owner, bob]);
    const stream_id = await createChannel(owner, 'talk', [owner]);
    const id = await say(owner, 'news', 'lunch');
    await succeed(owner.patch(`/messages/${id}`, { stream_id }));
    const phone = await bob.listen({ event_types: [type] });
    const { sql: database } = await getWorld();
    let leaving: Promise<void> | undefined;
    await performWhile(
      home,
      (tx) => change(tx, owner.actor, id),
      async () => {
        let hasLeft = false;
        leaving = leave(bob, ['news']).then(() => void (hasLeft = true));
        await until(async () => {
          const waiting = await database`select from pg_stat_activity
            where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
          return hasLeft || waiting.length > 0;
        });
      },
    );
    await leaving;
    expect(await phone.hears()).toMatchObject([{ type }]);
  });
});

test('whoever becomes a guest while they are first written to sees who wrote', async () => {
  const people = await realm();
  const { owner, alice, bob, realm: home } = people;
  await permit(people, 'can_access_all_users_group', 'role:members');
  const phone = await bob.listen({ event_types: ['realm_user'] });
  const runs = await performWhile(
    home,
    (tx) => actions.users.edit(tx, owner.actor, { user: bob.id, role: 600 }),
    () => tell(alice, [bob]),
  );
  expect(runs).toBe(2);
  const lost = (await phone.hears()).filter(({ op }) => op === 'remove').map(({ person }) => person.user_id);
  expect(lost).toContain(people.carol.id);
  expect(lost).not.toContain(alice.id);
});

import * as actions from '@parley/actions';
import type { Tx } from '@parley/db';
import type { ActionResult } from '@parley/protocol';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';

import { type Person, createChannel, createGroup, getWorld, realm, succeed } from '../support/index.ts';

/**
 * Runs an action, and after its first run, before its append, a request. The request has ended by then, or it waits for
 * the action.
 */
async function performDuring(
  { realm: { id } }: Person,
  action: (tx: Tx) => Promise<ActionResult>,
  request: () => Promise<unknown>,
): Promise<void> {
  const world = await getWorld();
  let requested: Promise<unknown> | undefined;
  await world.engine.perform(id, async (tx) => {
    const result = await action(tx);
    if (requested) return result;
    let isOver = false;
    requested = request().finally(() => (isOver = true));
    const [{ pid } = { pid: 0 }] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    const isWaiting = async () => {
      const waiting = await world.sql`select from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`;
      return waiting.length > 0;
    };
    await vi.waitUntil(async () => isOver || (await isWaiting()), { timeout: 20_000 });
    return result;
  });
  await requested;
}

/** No permission names the group before: its members change without a new version of the rules. */
async function prepare() {
  const people = await realm();
  const group = await createGroup(people.alice, 'readers');
  const add = { add: [people.bob.id] };
  const enter = () => succeed(people.owner.post(`/user_groups/${group}/members`, add));
  return { ...people, group, enter };
}

test('whoever enters a group while a channel comes to name it is shown the channel', async () => {
  const { alice, bob, group, enter } = await prepare();
  const channelId = await createChannel(alice, 'private', [alice], { invite_only: true });
  const phone = await bob.listen({ event_types: ['stream'] });
  const permissions = { can_subscribe_group: { new: group } };
  await performDuring(
    alice,
    (tx) => actions.channels.edit(tx, alice.actor, { channelId, permissions }),
    enter,
  );
  expect(await phone.hears()).toMatchObject([{ op: 'create', streams: [{ stream_id: channelId }] }]);
});

test('whoever enters a group while a channel is made that names it is shown the channel', async () => {
  const { alice, bob, group, enter } = await prepare();
  const phone = await bob.listen({ event_types: ['stream'] });
  const channel = {
    name: 'private',
    description: '',
    isPrivate: true,
    groupSettings: { can_subscribe_group: group },
  };
  const input = { channel, subscribers: [alice.id], isAnnounced: false };
  await performDuring(alice, (tx) => actions.channels.create(tx, alice.actor, input), enter);
  expect(await phone.hears()).toMatchObject([{ op: 'create', streams: [{ name: 'private' }] }]);
});

test('whoever enters a group while another that is named comes to contain it is shown the channel', async () => {
  const { alice, bob, group, enter } = await prepare();
  const outer = await createGroup(alice, 'outer');
  await createChannel(alice, 'private', [alice], { invite_only: true, can_subscribe_group: outer });
  const phone = await bob.listen({ event_types: ['stream'] });
  const change = { groupId: outer, add: [], remove: [], addSubgroups: [group], removeSubgroups: [] };
  await performDuring(alice, (tx) => actions.userGroups.changeMembers(tx, alice.actor, change), enter);
  expect(await phone.hears()).toMatchObject([{ op: 'create', streams: [{ name: 'private' }] }]);
});

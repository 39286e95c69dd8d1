import * as actions from '@parley/actions';
import type { Tx } from '@parley/db';
import { senderById } from '@parley/engine';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';

import { performAdHoc } from '../support/perform-ad-hoc.ts';
import type { BenchServers } from './bench-servers.ts';
import type { BigRealm } from './big-realm.ts';
import { median, two } from './numbers.ts';
import { type ReadCost, costOf, startReading } from './reads.ts';

/** A group of everybody, of whom half leave and come back. */
const changed = 5000;
const repeats = 5;
const senders = 50;
const groupCount = 500;

interface ChangeCost {
  name: string;
  addMs: number;
  removeMs: number;
  /** Bytes of the log that adding them took. */
  entryKib: number;
}

export interface GroupCosts {
  changes: ChangeCost[];
  /** The rows of as many users, written by a statement that changes one column. */
  floorMs: number;
  /** One send in a channel whose posting permission names the group, by the moment. */
  sends: { before: number; firstAfter: number; secondAfter: number };
  /** One send to a channel that all members are in, plain and with a mention of the group. */
  mentions: { plainMs: number; mentionMs: number };
  /** POST /register by what is asked for, without groups and with many. */
  register: Record<string, { none: ReadCost; many: ReadCost }>;
}

export async function costOfGroups(
  servers: BenchServers,
  big: BigRealm,
  say: (line: string) => void,
): Promise<GroupCosts> {
  const { engine, sql, actor } = servers;
  const realmId = actor.realm.id;
  const members = (
    await sql<{ id: number }[]>`
      select id from users where realm_id = ${realmId} and email like 'citizen%' order by id`
  ).map(({ id }) => id);
  const perform = <Result extends ActionResult>(act: (tx: Tx, by: Actor) => Promise<Result>) =>
    performAdHoc(
      engine,
      realmId,
      async (tx) => await act(tx, await model.users.getActiveActor(tx, actor.realm, actor.id)),
    );

  await using reading = await startReading(servers, big);
  const register = async () => {
    const ask = (params: object) => costOf(reading, 'POST', '/register', params);
    return {
      'groups alone': await ask({ fetch_event_types: ['realm_user_groups'] }),
      all: await ask({}),
    };
  };
  say('registering without groups …');
  const none = await register();

  const create = (name: string, ids: number[]) =>
    perform((tx, by) =>
      actions.userGroups.create(tx, {
        actor: by,
        name,
        description: '',
        members: ids,
        subgroups: [],
        permissions: {},
      }),
    );
  say(`a group of ${members.length} …`);
  const { groupId } = await create('everybody', members);
  const change = (ids: { add: number[]; remove: number[] }) =>
    perform((tx, by) =>
      actions.userGroups.changeMembers(tx, {
        actor: by,
        groupId,
        addSubgroups: [],
        removeSubgroups: [],
        ...ids,
      }),
    );
  const half = members.slice(0, changed);

  async function costOfChange(name: string): Promise<ChangeCost> {
    say(`${changed} members leave and come back: ${name} …`);
    const times = { add: [] as number[], remove: [] as number[] };
    let bytes = 0;
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      let startMs = performance.now();
      await change({ add: [], remove: half });
      times.remove.push(performance.now() - startMs);
      const before = await headOf();
      startMs = performance.now();
      await change({ add: half, remove: [] });
      times.add.push(performance.now() - startMs);
      const [row] = await sql<{ bytes: number }[]>`
        select sum(octet_length(entry::text))::int as bytes from event_log
        where realm_id = ${realmId} and seq > ${before}`;
      bytes = row?.bytes ?? 0;
    }
    return {
      name,
      addMs: two(median(times.add)),
      removeMs: two(median(times.remove)),
      entryKib: Math.round(bytes / 1024),
    };
  }
  const headOf = async () => {
    const [head] = await sql<{ seq: number }[]>`
      select seq::float8 as seq from realm_heads where realm_id = ${realmId}`;
    return head?.seq ?? 0;
  };
  const changes = [await costOfChange('no permission names the group')];
  await perform((tx, by) =>
    actions.channels.edit(tx, {
      actor: by,
      channelId: big.channelId,
      permissions: { can_send_message_group: { new: groupId } },
    }),
  );
  changes.push(await costOfChange('one says who may post'));

  const send = async (by: number, channel: number, content: string) => {
    const startMs = performance.now();
    await engine.sendMessage({
      realm: actor.realm,
      sender: senderById(actor.realm, by),
      recipient: { type: 'channel', channel, topic: 'bench' },
      text: { content, client: 'bench', readBySender: true, echo: null },
    });
    return performance.now() - startMs;
  };
  const sendAll = async () => {
    const times: number[] = [];
    for (const id of half.slice(0, senders)) {
      times.push(await send(id, big.channelId, 'A message of a usual length.'));
    }
    return two(median(times));
  };
  say(`sends of ${senders} members …`);
  await sendAll();
  const before = await sendAll();
  await change({ add: [], remove: half.slice(senders) });
  const firstAfter = await sendAll();
  const secondAfter = await sendAll();
  await change({ add: half.slice(senders), remove: [] });

  say('mentions …');
  const { channel: hall } = await perform((tx, by) =>
    actions.channels.create(tx, {
      actor: by,
      channel: { name: 'hall', description: '' },
      subscribers: [],
      isAnnounced: false,
    }),
  );
  await sql`
    insert into conversation_members (conversation_id, user_id, is_subscribed)
    select ${hall.conversationId}, id, false from unnest(${members}::int[]) id`;
  await performAdHoc(engine, realmId, async () => ({
    events: [],
    memberships: [{ conversationId: hall.conversationId, joined: members, left: [] }],
  }));
  await sql`
    update realms set group_settings = group_settings || jsonb_build_object(
      'can_mention_many_users_group', (select id from user_groups where realm_id = ${realmId} and name = 'role:members'))
    where id = ${realmId}`;
  await sql`update realm_heads set rules_version = rules_version + 1 where realm_id = ${realmId}`;
  const sendAgain = async (content: string) => {
    const times: number[] = [];
    for (let repeat = 0; repeat <= repeats; repeat += 1) {
      times.push(await send(actor.id, hall.id, content));
    }
    return two(median(times));
  };
  const mentions = {
    plainMs: await sendAgain('A message of a usual length.'),
    mentionMs: await sendAgain('A message for @*everybody*.'),
  };

  await perform((tx, by) =>
    actions.channels.create(tx, {
      actor: by,
      channel: {
        name: 'admitting',
        description: '',
        isPrivate: true,
        groupSettings: { can_subscribe_group: groupId },
      },
      subscribers: [],
      isAnnounced: false,
    }),
  );
  changes.push(await costOfChange('one lets members see a private channel'));

  const floors: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const startMs = performance.now();
    await sql`update users set avatar_version = avatar_version where id = any(${half}::int[])`;
    floors.push(performance.now() - startMs);
  }

  say(`registering with ${groupCount} groups …`);
  for (let number = 1; number < groupCount; number += 1) {
    const first = (number * 37) % (members.length - 50);
    await create(`group ${number}`, members.slice(first, first + 50));
  }
  const many = await register();
  return {
    changes,
    floorMs: two(median(floors)),
    sends: { before, firstAfter, secondAfter },
    mentions,
    register: {
      'groups alone': { none: none['groups alone'], many: many['groups alone'] },
      all: { none: none.all, many: many.all },
    },
  };
}

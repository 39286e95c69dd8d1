import * as actions from '@parley/actions';
import type { Tx } from '@parley/db';
import { senderById } from '@parley/engine';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';

import { performAdHoc } from '../support/perform-ad-hoc.ts';
import type { BenchServers } from './bench-servers.ts';
import { type BigRealm, getBigRealm } from './big-realm.ts';
import type { Bench } from './finding.ts';
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

interface GroupCosts {
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

async function costOfGroups(
  servers: BenchServers,
  big: BigRealm,
  say: (line: string) => void,
): Promise<GroupCosts> {
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
  const group = await LargeGroup.create(servers, say);
  const changes = [await group.costOfChange('no permission names the group')];
  await group.nameInChannel(big.channelId);
  changes.push(await group.costOfChange('one says who may post'));
  const sends = await group.costOfSends(big.channelId);
  const mentions = await group.costOfMentions();
  await group.nameInPrivateChannel();
  changes.push(await group.costOfChange('one lets members see a private channel'));
  const floorMs = await group.costOfRows();
  await group.createOthers();
  const many = await register();
  return {
    changes,
    floorMs,
    sends,
    mentions,
    register: {
      'groups alone': { none: none['groups alone'], many: many['groups alone'] },
      all: { none: none.all, many: many.all },
    },
  };
}

/** A group of everybody, and what happens to it. */
class LargeGroup {
  private readonly servers: BenchServers;
  private readonly say: (line: string) => void;
  private readonly members: readonly number[];
  private readonly groupId: number;

  private constructor(
    servers: BenchServers,
    say: (line: string) => void,
    { members, groupId }: { members: readonly number[]; groupId: number },
  ) {
    this.servers = servers;
    this.say = say;
    this.members = members;
    this.groupId = groupId;
  }

  static async create(servers: BenchServers, say: (line: string) => void): Promise<LargeGroup> {
    const citizens = await servers.sql<{ id: number }[]>`
      select id from users where realm_id = ${servers.actor.realm.id} and email like 'citizen%' order by id`;
    const members = citizens.map(({ id }) => id);
    say(`a group of ${members.length} …`);
    const { groupId } = await createGroup(servers, 'everybody', members);
    return new LargeGroup(servers, say, { members, groupId });
  }

  private get realmId(): number {
    return this.servers.actor.realm.id;
  }

  /** Those who leave and come back. */
  private get half(): readonly number[] {
    return this.members.slice(0, changed);
  }

  async costOfChange(name: string): Promise<ChangeCost> {
    const { half } = this;
    this.say(`${changed} members leave and come back: ${name} …`);
    const times = { add: [] as number[], remove: [] as number[] };
    let bytes = 0;
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      times.remove.push(await timeOf(() => this.change({ remove: half })));
      const before = await this.head();
      times.add.push(await timeOf(() => this.change({ add: half })));
      const [row] = await this.servers.sql<{ bytes: number }[]>`
        select sum(octet_length(entry::text))::int as bytes from event_log
        where realm_id = ${this.realmId} and seq > ${before}`;
      bytes = row?.bytes ?? 0;
    }
    return {
      name,
      addMs: two(median(times.add)),
      removeMs: two(median(times.remove)),
      entryKib: Math.round(bytes / 1024),
    };
  }

  /** The group alone may post in the channel. */
  async nameInChannel(channelId: number): Promise<void> {
    const permissions = { can_send_message_group: { new: this.groupId } };
    await perform(this.servers, (tx, actor) => actions.channels.edit(tx, { actor, channelId, permissions }));
  }

  /** The group may subscribe to a private channel. */
  async nameInPrivateChannel(): Promise<void> {
    const groupSettings = { can_subscribe_group: this.groupId };
    await perform(this.servers, (tx, actor) =>
      actions.channels.create(tx, {
        actor,
        channel: { name: 'admitting', description: '', isPrivate: true, groupSettings },
        subscribers: [],
        isAnnounced: false,
      }),
    );
  }

  /** One send of many members, before and after a change of the group. */
  async costOfSends(channelId: number): Promise<GroupCosts['sends']> {
    const { half } = this;
    const sendAll = async () => {
      const times: number[] = [];
      for (const id of half.slice(0, senders)) {
        times.push(await this.send(id, channelId, 'A message of a usual length.'));
      }
      return two(median(times));
    };
    this.say(`sends of ${senders} members …`);
    await sendAll();
    const before = await sendAll();
    await this.change({ remove: half.slice(senders) });
    const firstAfter = await sendAll();
    const secondAfter = await sendAll();
    await this.change({ add: half.slice(senders) });
    return { before, firstAfter, secondAfter };
  }

  async costOfMentions(): Promise<GroupCosts['mentions']> {
    this.say('mentions …');
    const hall = await this.createHall();
    const sendAgain = async (content: string) => {
      const times: number[] = [];
      for (let repeat = 0; repeat <= repeats; repeat += 1) {
        times.push(await this.send(this.servers.actor.id, hall, content));
      }
      return two(median(times));
    };
    return {
      plainMs: await sendAgain('A message of a usual length.'),
      mentionMs: await sendAgain('A message for @*everybody*.'),
    };
  }

  /** A statement that changes one column of as many rows. */
  async costOfRows(): Promise<number> {
    const { sql } = this.servers;
    const times: number[] = [];
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const statement = () =>
        sql`update users set avatar_version = avatar_version where id = any(${[...this.half]}::int[])`;
      times.push(await timeOf(statement));
    }
    return two(median(times));
  }

  async createOthers(): Promise<void> {
    this.say(`registering with ${groupCount} groups …`);
    for (let number = 1; number < groupCount; number += 1) {
      const first = (number * 37) % (this.members.length - 50);
      await createGroup(this.servers, `group ${number}`, this.members.slice(first, first + 50));
    }
  }

  /** A channel that all members are in and may mention. Returns its id. */
  private async createHall(): Promise<number> {
    const { sql, engine } = this.servers;
    const { channel: hall } = await perform(this.servers, (tx, actor) =>
      actions.channels.create(tx, {
        actor,
        channel: { name: 'hall', description: '' },
        subscribers: [],
        isAnnounced: false,
      }),
    );
    const joined = [...this.members];
    await sql`
      insert into conversation_members (realm_id, conversation_id, user_id, is_subscribed)
      select ${this.realmId}::int, ${hall.conversationId}, id, false from unnest(${joined}::int[]) id`;
    await performAdHoc(engine, this.realmId, async () => ({
      events: [],
      memberships: [{ conversationId: hall.conversationId, joined, left: [] }],
    }));
    await sql`
      update realms set group_settings = group_settings || jsonb_build_object(
        'can_mention_many_users_group', (
          select id from user_groups where realm_id = ${this.realmId} and name = 'role:members'))
      where id = ${this.realmId}`;
    await sql`update realm_heads set rules_version = rules_version + 1 where realm_id = ${this.realmId}`;
    return hall.id;
  }

  private async change({ add = [], remove = [] }: { add?: readonly number[]; remove?: readonly number[] }) {
    const { groupId } = this;
    await perform(this.servers, (tx, actor) =>
      actions.userGroups.changeMembers(tx, {
        actor,
        groupId,
        add: [...add],
        remove: [...remove],
        addSubgroups: [],
        removeSubgroups: [],
      }),
    );
  }

  private async head(): Promise<number> {
    const [head] = await this.servers.sql<{ seq: number }[]>`
      select seq::float8 as seq from realm_heads where realm_id = ${this.realmId}`;
    return head?.seq ?? 0;
  }

  /** How long a send takes. */
  private async send(by: number, channel: number, content: string): Promise<number> {
    const { engine, actor } = this.servers;
    return await timeOf(() =>
      engine.sendMessage({
        realm: actor.realm,
        sender: senderById(actor.realm, by),
        recipient: { type: 'channel', channel, topic: 'bench' },
        text: { content, client: 'bench', readBySender: true, echo: null },
      }),
    );
  }
}

async function timeOf(work: () => PromiseLike<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

const perform = <Result extends ActionResult>(
  { engine, actor }: BenchServers,
  act: (tx: Tx, by: Actor) => Promise<Result>,
) =>
  performAdHoc(
    engine,
    actor.realm.id,
    async (tx) => await act(tx, await model.users.getActiveActor(tx, actor.realm, actor.id)),
  );

const createGroup = (servers: BenchServers, name: string, members: readonly number[]) =>
  perform(servers, (tx, actor) =>
    actions.userGroups.create(tx, {
      actor,
      name,
      description: '',
      members: [...members],
      subgroups: [],
      permissions: {},
    }),
  );

/** What groups of many people cost. */
export const groups: Bench = async (servers, say) => {
  const costs = await costOfGroups(servers, await getBigRealm(servers, say), say);
  const { changes, floorMs, sends, mentions, register } = costs;
  return {
    figures: { ...costs },
    rows: [
      ['5 000 of 10 000 members of a group', 'enter, ms  leave, ms  × floor  KiB of log'],
      ...changes.map(({ name, addMs, removeMs, entryKib }): [string, string] => [
        `  ${name}`,
        `${addMs}  ${removeMs}  ${two(addMs / floorMs)}  ${entryKib}`,
      ]),
      ['  floor: as many rows of users written, ms', floorMs],
      ['one send where a permission names the group, ms', 'before  first after  second after'],
      ['  while half of the group leaves', `${sends.before}  ${sends.firstAfter}  ${sends.secondAfter}`],
      ['one send to 10 000, ms', 'plain  with a mention of the group'],
      ['  all of whom are in the group', `${mentions.plainMs}  ${mentions.mentionMs}`],
      ['POST /register, without and with 500 groups', 'ms  ms  queries  KiB  KiB'],
      ...Object.entries(register).map(([name, { none, many }]): [string, string] => [
        `  ${name}`,
        `${none.ms}  ${many.ms}  ${many.queries}  ${none.kib}  ${many.kib}`,
      ]),
    ],
    picture: [],
  };
};

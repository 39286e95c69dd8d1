import * as actions from '@parley/actions';
import { createPerformer } from '@parley/engine';
import { createFlagChanger } from '@parley/log';
import type { PendingFlags } from '@parley/protocol';

import { type Person, type TestRealm, type World, getWorld, realm, subscribe } from '../../support/index.ts';

export type Flag = PendingFlags['flag'];
export type Op = PendingFlags['op'];

interface LoggedEntry {
  seq: number;
  audience: unknown;
  event: Record<string, unknown>;
}

interface Scene extends TestRealm {
  sql: World['sql'];
  /** The outcomes of each append. */
  batches: string[][];
  published: { seq?: number }[];
  readonly change: (by: Person, messages: number[], more?: Partial<PendingFlags>) => Promise<number[] | null>;
  /** Makes changes that share an append, behind one that goes first. */
  readonly together: (changes: () => Promise<unknown>[]) => Promise<unknown[]>;
  /** Changes flags in a transaction of its own. */
  readonly changeAlone: (by: Person, messages: number[], flag: Flag, op: Op) => Promise<unknown>;
  /** Returns the newest entries of the log, the last one last. */
  readonly entries: (count: number) => Promise<LoggedEntry[]>;
}

/** A channel in which four read, and changes of their flags as the log takes them. */
export async function open(): Promise<Scene> {
  const people = await realm();
  const { alice, bob, carol, owner } = people;
  const { engine, sql } = await getWorld();
  await subscribe(alice, 'news', [alice, bob, carol, owner]);
  const batches: string[][] = [];
  const published: { seq?: number }[] = [];
  const publisher = {
    publish(_: number, appended: readonly { outcome: string; seq?: number }[]) {
      batches.push(appended.map(({ outcome }) => outcome));
      published.push(...appended);
    },
  };
  const changer = createFlagChanger({ sql, publisher });
  const { id } = people.realm;
  const change = (by: Person, messages: number[], more: Partial<PendingFlags> = {}) =>
    changer.change(id, {
      userId: by.id,
      flag: 'read',
      op: 'add',
      messages: messages.map((message) => ({ id: message, channelId: null })),
      ...more,
    });
  const alone = createPerformer({ db: engine.db, publisher, ephemerals: null, enqueue: () => undefined });
  return {
    ...people,
    sql,
    batches,
    published,
    change,
    together: async (changes: () => Promise<unknown>[]) => {
      const first = change(people.moderator, [1]);
      const all = await Promise.all(changes());
      await first;
      return all;
    },
    changeAlone: (by: Person, messages: number[], flag: Flag, op: Op) =>
      alone.perform(id, actions.messages.changeFlags, {
        actor: by.actor,
        change: { ids: messages, op, flag },
      }),
    entries: async (count: number) => {
      const rows = await sql<{ entry: LoggedEntry }[]>`
        select entry from event_log where realm_id = ${id} order by seq desc limit ${count}`;
      return rows.map(({ entry }) => entry).reverse();
    },
  };
}

/** Returns the channel that a message is in. */
export const channelIn = async (message: number, { id }: { id: number }) => {
  const { sql } = await getWorld();
  const [row] = await sql<{ channel: number | null }[]>`
    select channel_id as channel from messages where realm_id = ${id} and id = ${message}`;
  return row?.channel ?? null;
};

/** Returns what is stored of the messages that somebody has flagged and read. */
export const stateOf = async ({ id, realm: home }: Person) => {
  const { sql } = await getWorld();
  const flags = await sql`
    select message_id, starred, collapsed from message_flags where realm_id = ${home.id} and user_id = ${id} order by 1`;
  const read = await sql`
    select conversation_id, read::text from conversation_members where user_id = ${id} order by 1`;
  return { flags: [...flags], read: [...read] };
};

import * as actions from '@parley/actions';
import { type Tx, tables } from '@parley/db';
import { senderById } from '@parley/engine';
import * as model from '@parley/model';
import {
  ApiError,
  type RealmGroupSetting,
  type UserSetting,
  realmGroupSettings,
  userSettings,
} from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';

import { isOfToday } from '../../support/by-day.ts';
import { type Person, type TestRealm, getWorld } from '../../support/index.ts';

/** Who plans to send: members, of whom each is known to the others in another way, and a guest. */
const senders = ['alice', 'bob', 'carol', 'guest'] as const;

/** Of whom the plans are compared: by day of one, the next day of another. */
const planners = senders.filter((_, at) => isOfToday(at, senders.length));

const askers = ['owner', 'admin', 'moderator', ...senders, 'bot'] as const;

type Recipient = actions.messages.Recipient;

/** What is decided by the rules of a realm, and by plans for sending that would be remembered. */
interface Decisions {
  version: number;
  rules: unknown;
  /** By sender and recipient; without those that no process remembers. */
  plans: Map<string, object>;
}

class Undone extends Error {}

/** What is read together is of one moment, whatever others commit meanwhile. */
const oneMoment = { isolationLevel: 'repeatable read' } as const;

/** Compares what is decided with what was decided before: what nobody said to have changed is as it was. */
export interface DecisionsWatch {
  /** The same people. What each of them asked for is followed by a comparison. */
  people: TestRealm;
  /** Begins to compare. */
  begin(): Promise<void>;
  compare(): Promise<void>;
}

export function watchDecisions(people: TestRealm): DecisionsWatch {
  let recipients: readonly Recipient[] = [];
  let last: Promise<Decisions> | undefined;

  async function compare(): Promise<void> {
    if (!last) return;
    // Requests may be served at the same time: their comparisons take turns.
    last = last.then(async (before) => {
      const after = await readDecisions(people, recipients);
      if (after.version === before.version) expectSame(before, after);
      return after;
    });
    await last;
  }
  const watched = { ...people };
  for (const name of askers) watched[name] = asking(people[name], compare);
  return {
    people: watched,
    async begin() {
      recipients = await listRecipients(people);
      last = readDecisions(people, recipients);
      await last;
    },
    compare,
  };
}

/** The same person, who waits for something after each request that may change anything. */
function asking(person: Person, after: () => Promise<void>): Person {
  const answered = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const body = await answer;
    await after();
    return body;
  };
  return {
    ...person,
    post: (path, params) => answered(person.post(path, params)),
    patch: (path, params) => answered(person.patch(path, params)),
    delete: (path, params) => answered(person.delete(path, params)),
    upload: (path, files, differing) => answered(person.upload(path, files, differing)),
  };
}

function expectSame(before: Decisions, after: Decisions): void {
  expect(after.rules, 'rules that nobody said to have changed').toEqual(before.rules);
  for (const [key, plan] of before.plans) {
    expect(after.plans.get(key), `a plan that nobody said to have changed: ${key}`).toEqual(plan);
  }
}

/** Places to write to: the topic that was written to last, and a person. */
async function listRecipients(people: TestRealm): Promise<Recipient[]> {
  const { sql: query, engine } = await getWorld();
  const topics = await query<{ channel: number; topic: string }[]>`
    select m.channel_id as channel, t.name as topic from messages m join topics t on t.realm_id = m.realm_id and t.id = m.topic_id
    where m.realm_id = ${people.realm.id} group by 1, 2 order by max(m.id) desc limit 1`;
  const other: Recipient = { type: 'direct', users: [people.moderator.id] };
  // A plan makes its conversation: one that is undone would be made again, with another id.
  for (const sender of planners) await readPlan(engine.db, people, people[sender], other);
  return [...topics.map(({ channel, topic }): Recipient => ({ type: 'channel', channel, topic })), other];
}

/** Reads whole what processes remember. Nothing that this writes stays. */
async function readDecisions(people: TestRealm, recipients: readonly Recipient[]): Promise<Decisions> {
  const { engine } = await getWorld();
  let decisions: Decisions | undefined;
  const reading = engine.db.transaction(async (tx) => {
    // From here on the transaction has written, so that it reads rules whole.
    await tx.execute(sql`select pg_current_xact_id() from realm_heads where realm_id = ${people.realm.id}`);
    const rules = await model.permissions.getRules(tx, people.realm.id);
    const plans = new Map<string, object>();
    for (const name of planners) {
      for (const recipient of recipients) {
        const plan = await readPlan(tx, people, people[name], recipient);
        if (plan !== null) plans.set(JSON.stringify([name, recipient]), plan);
      }
    }
    decisions = { version: rules.version, rules: await present(tx, people, rules), plans };
    throw new Undone();
  }, oneMoment);
  await reading.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
  if (!decisions) throw new Error('Nothing was decided.');
  return decisions;
}

/** A plan without its functions; null for one that is refused, or that no process would remember. */
async function readPlan(
  tx: Tx,
  { realm }: TestRealm,
  { id }: Person,
  recipient: Recipient,
): Promise<object | null> {
  const alertWords = model.alertWords.createAlertWordCache();
  try {
    const plan = await actions.messages.planSend(
      tx,
      realm.id,
      senderById(realm, id).read,
      recipient,
      alertWords,
    );
    if (!actions.messages.isReusable(plan)) return null;
    // Groups that no permission names and settings that no message depends on are no part of the rules.
    const { groupIds: _, lastActiveOn: __, settings, ...actor } = plan.actor;
    const forSending = Object.entries(settings).filter(
      ([name]) => userSettings[name as UserSetting].isForSending,
    );
    const alerted = plan.alertWords('tea, coffee and cake');
    return JSON.parse(JSON.stringify({ ...plan, actor, settings: forSending, alerted })) as object;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Settings, permissions, and which group contains which. */
async function present(tx: Tx, { realm: { id } }: TestRealm, rules: model.permissions.Rules) {
  const groups = await tx.execute<{ id: number }>(
    sql`select id from user_groups where realm_id = ${id} order by id`,
  );
  // Safe: these are the keys.
  const names = Object.keys(realmGroupSettings) as RealmGroupSetting[];
  const { realmEmoji } = tables;
  return {
    // Texts are read by these, which processes remember by the version of the rules.
    linkifiers: await model.linkifiers.listLinkifiers(tx, id),
    emoji: await tx
      .select({ name: realmEmoji.name, path: realmEmoji.path })
      .from(realmEmoji)
      .where(and(eq(realmEmoji.realmId, id), eq(realmEmoji.isDeactivated, false)))
      .orderBy(realmEmoji.id),
    settings: rules.settings,
    permissions: Object.fromEntries(names.map((name) => [name, rules.groupSetting(name)])),
    groups: Object.fromEntries(
      groups.map((group) => [group.id, [...rules.groups.within(group.id)].sort((a, b) => a - b)]),
    ),
  };
}

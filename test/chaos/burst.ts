import * as actions from '@parley/actions';
import { connectSql } from '@parley/db';
import { type Engine, createEngine } from '@parley/engine';
import type { ClusterBackends } from '@parley/infra';
import { createLogger, systemClock } from '@parley/kit';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';

import { performAdHoc } from '../support/perform-ad-hoc.ts';
import { type ChaosRealm, channelNames } from './chaos-realm.ts';
import type { ScheduledSend } from './schedule-checker.ts';

/** The messages become due in the seconds of one minute. */
const spreadSeconds = 60;
const dayMs = 86_400_000;
const authorsAtOnce = 4;
/** Messages that an author schedules in one transaction. Until it ends, what the author sends otherwise waits. */
const perTransaction = 10;

interface Burst {
  /** What all contents begin with. */
  prefix: string;
  messages: number;
  /** When the minute begins, in ms since 1970; asked for when all messages are scheduled. */
  readonly startMs: () => number;
}

/**
 * Schedules the messages of all members in turn, half of them to a channel, by the action that any client's request runs.
 * Then moves their times to the minute that is wanted.
 */
export async function scheduleBurst(
  { databaseUrl, secret }: Pick<ClusterBackends, 'databaseUrl' | 'secret'>,
  { realmId, members }: ChaosRealm,
  { prefix, messages, startMs }: Burst,
): Promise<ScheduledSend[]> {
  await using engine = createEngine({
    databaseUrl,
    name: 'burst',
    connectionsMax: authorsAtOnce,
    redis: null,
    secrets: [secret],
    clock: systemClock,
    logger: createLogger({ role: 'burst', level: 'warn' }),
    partitions: 1,
  });
  const { realm, squareId } = await findRealm(engine, realmId);
  const nowMs = Date.now();
  const base = Math.floor((nowMs + dayMs) / 1000);
  const secondOf = (number: number) => Math.floor((number * spreadSeconds) / messages);
  const numbers = Array.from({ length: messages }, (_, number) => number);
  const inputOf = (
    number: number,
    author: number,
  ): Omit<Parameters<typeof actions.scheduledMessages.create>[1], 'actor' | 'nowMs'> => ({
    recipient:
      Math.floor(number / members.length) % 2 === 0
        ? { type: 'channel', channel: squareId, topic: `topic ${author % 7}` }
        : { type: 'direct', users: [members[(author + 1) % members.length]?.id ?? 0] },
    content: `${prefix} ${number}`,
    dueAt: base + secondOf(number),
    client: 'burst',
    readBySender: true,
  });
  /** One transaction after the other, so that what an author schedules is scheduled in its order. */
  const scheduleOf = async (id: number, author: number) => {
    const own = numbers.filter((number) => number % members.length === author);
    for (let first = 0; first < own.length; first += perTransaction) {
      await performAdHoc(engine, realmId, async (tx) => {
        const actor = await model.users.getActiveActor(tx, realm, id);
        const events = [];
        for (const number of own.slice(first, first + perTransaction)) {
          const created = await actions.scheduledMessages.create(tx, {
            actor,
            ...inputOf(number, author),
            nowMs,
          });
          events.push(...created.events);
        }
        return { events };
      });
    }
  };
  const waiting = [...members.entries()];
  const scheduleNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await scheduleOf(next[1].id, next[0]);
  };
  await Promise.all(Array.from({ length: authorsAtOnce }, scheduleNext));

  const sql = connectSql({ url: databaseUrl, name: 'burst', max: 1 });
  const start = Math.floor(startMs() / 1000);
  await sql`update scheduled_messages set due_at = due_at - make_interval(secs => ${base - start})
    where starts_with(content, ${prefix})`;
  await sql.end();
  // A fraction tells those of the same second apart: the one that was scheduled first is sent first.
  return numbers.map((number) => ({
    content: `${prefix} ${number}`,
    dueMs: (start + secondOf(number)) * 1000 + number / messages,
  }));
}

async function findRealm(engine: Engine, realmId: number): Promise<{ realm: Realm; squareId: number }> {
  const row = await engine.db.query.realms.findFirst({ where: ({ id }, { eq }) => eq(id, realmId) });
  const square = await engine.db.query.channels.findFirst({
    where: ({ name }, { eq }) => eq(name, channelNames.square),
  });
  if (!row?.membersConversationId || !square) throw new Error('The realm was not created.');
  const { membersConversationId } = row;
  const realm: Realm = {
    id: realmId,
    name: row.name,
    host: 'localhost',
    emailDomain: 'chaos.example',
    url: 'http://localhost',
    membersConversationId,
  };
  return { realm, squareId: square.id };
}

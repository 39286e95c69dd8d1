import * as actions from '@parley/actions';
import { type Actor, actorOf } from '@parley/model';

import type { BenchServers } from './bench-servers.ts';
import { spentSoFar } from './costs.ts';
import { gatherCrowd } from './crowd.ts';
import type { Bench } from './finding.ts';
import { median, two } from './numbers.ts';
import { senderTo } from './plan.ts';
import { insertsPerSecond, rate } from './sends.ts';

const people = 10_000;
const atOnce = 256;
const repeats = 3;
/** A mark reads and writes a row of its reader besides its entry, and a quarter of the rate of bare inserts is ample. */
const ratioMin = 0.25;

type Measure = 'inserts' | 'marks' | 'postgresUs' | 'walBytes';

/** An announcement that everybody in a realm of 10 000 marks as read, each with a request of their own. */
export const marks: Bench = async (servers, say) => {
  const { sql, engine, actor } = servers;
  const { channel, users } = await gatherCrowd(servers, people);
  const rows = await engine.db.query.users.findMany({
    where: ({ id }, { inArray }) =>
      inArray(
        id,
        users.map((user) => user.id),
      ),
  });
  const readers = rows.map((row) => actorOf(row, actor.realm));
  const { send } = await senderTo(servers, channel);
  const runs: Record<Measure, number>[] = [];
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    say(`${people} people read an announcement, ${repeat} of ${repeats} …`);
    const sent = await send('An announcement.');
    runs.push({
      inserts: await insertsPerSecond(servers, people, atOnce),
      ...(await readBy(servers, readers, sent?.messageId ?? 0)),
    });
  }
  const of = (key: Measure) => median(runs.map((run) => run[key]));
  const [{ unread } = { unread: -1 }] = await sql<{ unread: number }[]>`
    select count(*)::int as unread from conversation_members c join messages m on m.conversation_id = c.conversation_id
    where m.realm_id = ${actor.realm.id} and m.ordinal > 1 and c.user_id <> ${actor.id} and m.ordinal <@ c.received
      and not m.ordinal <@ c.read`;
  const ratio = two(of('marks') / of('inserts'));
  return {
    figures: {
      people,
      at_once: atOnce,
      inserts_per_second: of('inserts'),
      marks_per_second: of('marks'),
      ratio,
      postgres_us_each: of('postgresUs'),
      wal_bytes_each: of('walBytes'),
      left_unread: unread,
    },
    claim: {
      holds: ratio > ratioMin && unread === 0,
      result: `${ratio} × the rate of single-row inserts marks an announcement as read, ${of('postgresUs')} µs of Postgres each`,
    },
    rows: [
      [`marks of an announcement by ${people} people/s`, of('marks')],
      ['  single-row inserts/s, same Postgres', of('inserts')],
      ['  ratio (1 = the floor; more is better)', ratio],
      ['  Postgres, µs each', of('postgresUs')],
      ['  log of writes, bytes each', of('walBytes')],
    ],
    picture: [
      ['marks as read', of('marks')],
      ['marks as read: floor', of('inserts')],
    ],
  };
};

/** Lets everybody read a message at once, each in a request of the engine. */
async function readBy(servers: BenchServers, readers: readonly Actor[], id: number) {
  const { engine } = servers;
  const change: actions.messages.FlagChange = { ids: [id], op: 'add', flag: 'read' };
  let next = 0;
  const before = await spentSoFar(servers);
  const perSecond = await rate(readers.length, atOnce, async () => {
    const reader = readers[(next += 1) - 1];
    if (reader)
      await engine.perform(reader.realm.id, actions.messages.changeFlags, { actor: reader, change }, reader);
  });
  const after = await spentSoFar(servers);
  return {
    marks: perSecond,
    postgresUs: Math.round(((after.postgres - before.postgres) / readers.length) * 1e6),
    walBytes: Math.round((after.wal - before.wal) / readers.length),
  };
}

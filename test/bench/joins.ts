import * as actions from '@parley/actions';
import { type Actor, actorOf } from '@parley/model';

import type { BenchServers } from './bench-servers.ts';
import { spentSoFar } from './costs.ts';
import { gatherCrowd } from './crowd.ts';
import type { Bench } from './finding.ts';
import { two } from './numbers.ts';

const sizes = [100, 100_000] as const;
/** So many come and join each of the channels, one after the other. */
const people = 2000;
/** So many more join the large one at once. */
const atOnce = 10_000;
/** In proportion to who is there already is 1 000. */
const ratioMax = 2;

interface JoinCost {
  there: number;
  ms: number;
  postgresUs: number;
  walBytes: number;
  entryBytes: number;
}

/** What joining a channel costs, by how many are there already. */
export const joins: Bench = async (servers, say) => {
  const costs: JoinCost[] = [];
  const newcomers = await findActors(servers, await gatherCrowd(servers, people));
  for (const there of sizes) {
    say(`gathering ${there} subscribers …`);
    const { channel } = await gatherCrowd(servers, there);
    say(`${people} people join them, one after the other …`);
    costs.push({ there, ...(await costOfJoins(servers, channel, newcomers)) });
  }
  const [few, many] = costs;
  const ratio = (key: keyof JoinCost) => two((many?.[key] ?? 0) / (few?.[key] ?? 1));
  say(`${atOnce} people join at once …`);
  const togetherMs = await joinTogether(servers);
  const name = (there: number) => `one joins ${there} people`;
  return {
    figures: {
      people,
      costs,
      ratio: ratio('postgresUs'),
      wal_ratio: ratio('walBytes'),
      together: atOnce,
      together_ms: togetherMs,
    },
    claim: {
      holds: ratio('postgresUs') < ratioMax && ratio('walBytes') < ratioMax,
      result: `joining 100 000 people takes ${ratio('postgresUs')} × the time of Postgres and ${ratio('walBytes')} × the log of writes of joining 100`,
    },
    rows: [
      ['joining a channel, one after the other', 'ms  Postgres, µs  log of writes, bytes  entries, bytes'],
      ...costs.map(({ there, ms, postgresUs, walBytes, entryBytes }): [string, string] => [
        `  ${name(there)}`,
        `${ms}  ${postgresUs}  ${walBytes}  ${entryBytes}`,
      ]),
      ['  most against fewest, Postgres  log of writes', `${ratio('postgresUs')}  ${ratio('walBytes')}`],
      [`  ${atOnce} join ${sizes[1]} at once, ms`, togetherMs],
    ],
    picture: costs.map(({ there, postgresUs }) => [`${name(there)}, µs`, postgresUs]),
  };
};

async function findActors({ engine, actor }: BenchServers, { users }: { users: { id: number }[] }) {
  const ids = users.map(({ id }) => id);
  const rows = await engine.db.query.users.findMany({ where: ({ id }, { inArray }) => inArray(id, ids) });
  return rows.map((row) => actorOf(row, actor.realm));
}

const joining = (channel: string, principals: number[] | null) => ({
  channels: [{ name: channel, description: '', color: null }],
  principals,
  creates: {},
  isStrict: true,
});

async function costOfJoins(servers: BenchServers, channel: string, newcomers: readonly Actor[]) {
  const { engine, sql, actor } = servers;
  const [from] = await sql<{ seq: number }[]>`select seq from realm_heads where realm_id = ${actor.realm.id}`;
  const before = await spentSoFar(servers);
  const startMs = performance.now();
  for (const newcomer of newcomers) {
    const input = { actor: newcomer, ...joining(channel, null) };
    await engine.perform(actor.realm.id, actions.channels.subscribe, input, newcomer);
  }
  const tookMs = performance.now() - startMs;
  const after = await spentSoFar(servers);
  const [entries] = await sql<{ bytes: number }[]>`
    select sum(bytes)::float8 as bytes from event_log where realm_id = ${actor.realm.id} and seq > ${from?.seq ?? 0}`;
  const each = (all: number) => all / newcomers.length;
  return {
    ms: two(each(tookMs)),
    postgresUs: Math.round(each(after.postgres - before.postgres) * 1e6),
    walBytes: Math.round(each(after.wal - before.wal)),
    entryBytes: Math.round(each(entries?.bytes ?? 0)),
  };
}

async function joinTogether(servers: BenchServers): Promise<number> {
  const { engine, actor } = servers;
  const { users } = await gatherCrowd(servers, atOnce);
  const input = {
    actor,
    ...joining(
      `crowd of ${sizes[1]}`,
      users.map(({ id }) => id),
    ),
  };
  const startMs = performance.now();
  await engine.perform(actor.realm.id, actions.channels.subscribe, input, actor);
  return Math.round(performance.now() - startMs);
}

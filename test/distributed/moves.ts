import type { Cluster, DistributedPostgres } from '@parley/infra';
import { pause } from '@parley/kit';

import { anomaliesOf } from './anomalies.ts';
import { type Organization, findPort } from './organizations.ts';
import { runCommand } from './run-command.ts';
import { readCounts, wentBack } from './sequences.ts';
import { type Heard, underLoad } from './under-load.ts';

/** Every so many moves, the command is killed on its way, and run again. */
const killedEvery = 4;
const killedMsMax = 6000;
const betweenMs = 500;
const aroundMs = 2000;
/** Until each organization has been written to in all its topics. */
const warmMs = 50_000;
/** Long enough that the longest send in it says something. */
const calmMs = 15_000;

export interface MovesReport {
  moves: number;
  killed: number;
  /** How long a move took in the middle, and the longest. */
  moveMs: { p50: number; max: number };
  /**
   * The longest that a send took: of an organization on its way; of another meanwhile, and while the first move of one
   * divided a part of the tables; and of any before the moves.
   */
  stallMs: { moved: number; others: number; divided: number; calm: number };
  /** What should not have been, in words. */
  anomalies: string[];
}

/** Says in words how the moves went. */
export function describeMoves({ moves, killed, moveMs, stallMs, anomalies }: MovesReport): string {
  const verdict =
    anomalies.length === 0 ? '0 lost, repeated, reordered, leaked or silent' : anomalies.join('; ');
  return `${moves} moves, ${killed} of them killed on the way: ${verdict}. A move took ${moveMs.p50} ms in the middle and ${moveMs.max} at most. The longest send of an organization on its way took ${stallMs.moved} ms, of another ${stallMs.others} ms, and ${stallMs.divided} ms while a part of the tables was divided; before the moves, ${stallMs.calm} ms.`;
}

interface Options {
  cluster: Cluster;
  servers: DistributedPostgres;
  organizations: readonly Organization[];
  count: number;
  readonly say: (line: string) => void;
}

/** A time in which an organization was on its way. */
interface Move {
  realmId: number;
  /** It divided a part of the tables first, in which others may be as well. */
  isFirst: boolean;
  fromMs: number;
  untilMs: number;
}

/** Moves organizations from server to server by the command, one after the other, while people use all of them. */
export async function moveUnderLoad(options: Options): Promise<MovesReport> {
  const { cluster, servers, organizations, count, say } = options;
  const moves: Move[] = [];
  const wrong: string[] = [];
  let killed = 0;
  const calm = { fromMs: 0, untilMs: 0 };
  const heard = await underLoad(cluster, servers.url, organizations, async () => {
    say('  Warming up …');
    await pause(warmMs);
    calm.fromMs = Date.now();
    await pause(calmMs);
    calm.untilMs = Date.now();
    for (let number = 0; number < count; number += 1) {
      const organization = organizations[number % organizations.length];
      if (!organization) break;
      const before = await findPort(servers.url, organization.realmId);
      const to = servers.workers.find(({ port }) => port !== before)?.port ?? before;
      const counts = await readCounts(servers);
      const fromMs = Date.now();
      if (number % killedEvery === killedEvery - 1) {
        killed += 1;
        await runMove(options, organization, to, Math.random() * killedMsMax);
      }
      const said = await runMove(options, organization, to);
      const { realmId } = organization;
      const isFirst = moves.every((move) => move.realmId !== realmId);
      moves.push({ realmId, isFirst, fromMs, untilMs: Date.now() });
      const port = await findPort(servers.url, realmId);
      if (said !== null || port !== to)
        wrong.push(`${organization.name} did not move: ${said ?? 'it is where it was'}`);
      wrong.push(...wentBack(counts, await readCounts(servers)).map((sequence) => `${sequence} went back`));
      say(`  ${number + 1} of ${count}: ${organization.name}, ${Date.now() - fromMs} ms`);
      await pause(betweenMs);
    }
    await pause(aroundMs);
  });
  const othersThan = (realmId: number) => moves.filter((move) => move.realmId !== realmId);
  const took = moves.map(({ fromMs, untilMs }) => untilMs - fromMs).toSorted((a, b) => a - b);
  return {
    moves: moves.length,
    killed,
    moveMs: { p50: took[Math.floor(took.length / 2)] ?? 0, max: took.at(-1) ?? 0 },
    stallMs: {
      moved: longestStall(heard, (realmId) => moves.filter((move) => move.realmId === realmId)),
      others: longestStall(heard, (realmId) => othersThan(realmId).filter(({ isFirst }) => !isFirst)),
      divided: longestStall(heard, (realmId) => othersThan(realmId).filter(({ isFirst }) => isFirst)),
      calm: longestStall(heard, () => [calm]),
    },
    anomalies: [...heard.flatMap(anomaliesOf), ...wrong],
  };
}

/** The longest send that was under way at one of the times which are meant of its organization. */
function longestStall(
  heard: readonly Heard[],
  timesOf: (realmId: number) => readonly Pick<Move, 'fromMs' | 'untilMs'>[],
): number {
  const stalls = heard.flatMap(({ organization, sends }) => {
    const times = timesOf(organization.realmId);
    return sends
      .filter(({ startedMs, endedMs }) =>
        times.some(({ fromMs, untilMs }) => startedMs < untilMs && endedMs > fromMs),
      )
      .map(({ startedMs, endedMs }) => endedMs - startedMs);
  });
  return Math.max(0, ...stalls);
}

/** Runs the command, and returns what it complained of; null if it did not. It may be killed after a while. */
async function runMove(
  { cluster, servers }: Options,
  { name }: Organization,
  port: number,
  killedAfterMs?: number,
): Promise<string | null> {
  const { code, stderr } = await runCommand(['realm', 'move', name, '--to', `127.0.0.1:${port}`], {
    env: { DATABASE_URL: servers.url, REDIS_URL: cluster.redis.url, PARLEY_SECRET: cluster.secret },
    killedAfterMs,
  });
  return code === 0 ? null : stderr.slice(-300);
}

import type { Cluster, DistributedPostgres, Postgres } from '@parley/infra';
import { pause } from '@parley/kit';

import type { SteadySend } from '../chaos/sender.ts';
import { anomaliesOf } from './anomalies.ts';
import type { Organization } from './organizations.ts';
import { type Heard, underLoad } from './under-load.ts';

const calmMs = 15_000;
const brokenMs = 12_000;

/** A time in which something was wrong with a server, or nothing was. */
interface Phase {
  what: string;
  fromMs: number;
  untilMs: number;
}

/** How sends of some organizations went in a phase. */
interface Sends {
  phase: string;
  where: 'at the server' | 'elsewhere';
  /** Those that were acknowledged in it. */
  count: number;
  /** Tries that were refused in it, or not answered. */
  refused: number;
  p50Ms: number;
  p99Ms: number;
}

export interface FailuresReport {
  sends: Sends[];
  /** How late scheduled messages of organizations elsewhere were at most. */
  scheduledLateMs: number;
  /** What should not have been, in words. */
  anomalies: string[];
}

/** Says in words what happened while servers failed. */
export function describeFailures({ sends, scheduledLateMs, anomalies }: FailuresReport): string {
  const phases = sends
    .filter(({ where, phase }) => where === 'elsewhere' || (phase !== 'back' && phase !== 'back again'))
    .map(
      ({ phase, where, count, refused, p50Ms, p99Ms }) =>
        `${phase}, ${where}: ${count} sends, ${refused} refusals, p50 ${p50Ms} ms, p99 ${p99Ms} ms`,
    );
  const verdict =
    anomalies.length === 0
      ? '0 lost, repeated, reordered, leaked or silent, and nobody elsewhere was refused'
      : anomalies.join('; ');
  return `A server failed: ${verdict}. ${phases.join('. ')}. Scheduled messages elsewhere were at most ${Math.round(scheduledLateMs)} ms late.`;
}

interface Options {
  cluster: Cluster;
  servers: DistributedPostgres;
  organizations: readonly Organization[];
  readonly say: (line: string) => void;
}

/**
 * Kills a server and starts it again, then has it hang for a while, under load. Organizations there are refused meanwhile,
 * as the contract says, and lose nothing; those of other servers notice nothing.
 */
export async function failServers({
  cluster,
  servers,
  organizations,
  say,
}: Options): Promise<FailuresReport> {
  const [server] = servers.workers;
  if (!server) throw new Error('No server holds organizations.');
  const phases: Phase[] = [];
  const during = async (what: string, work: () => Promise<void>) => {
    say(`  ${what}`);
    const fromMs = Date.now();
    await work();
    phases.push({ what, fromMs, untilMs: Date.now() });
  };
  const heard = await underLoad(cluster, servers.url, organizations, async () => {
    await pause(calmMs);
    await during('calm', () => pause(calmMs));
    await during('dead', () => beDead(server));
    await during('back', () => pause(calmMs));
    await during('hanging', () => beHanging(cluster, server));
    await during('back again', () => pause(calmMs));
  });
  const sends = phases.flatMap((phase) => describeSends(phase, heard, server));
  const elsewhere = heard.filter(({ organization }) => organization.port !== server.port);
  const scheduledLateMs = Math.max(0, ...elsewhere.map(({ latenessMs }) => latenessMs.max));
  return {
    sends,
    scheduledLateMs,
    anomalies: [
      ...heard.flatMap(anomaliesOf),
      ...wrongAnswers(heard, server),
      ...unharmed(sends),
      ...(scheduledLateMs >= brokenMs
        ? ['scheduled messages elsewhere waited until the server was back']
        : []),
    ],
  };
}

async function beDead(server: Postgres): Promise<void> {
  await server.crash?.();
  await pause(brokenMs);
  await server.restart?.();
}

async function beHanging(cluster: Cluster, server: Postgres): Promise<void> {
  const resume = await cluster.hang(server);
  await pause(brokenMs);
  await resume();
}

function describeSends(phase: Phase, heard: readonly Heard[], server: Postgres): Sends[] {
  return (['at the server', 'elsewhere'] as const).map((where) => {
    const isMeant = ({ organization }: Heard) =>
      (organization.port === server.port) === (where === 'at the server');
    const isIn = (atMs: number) => atMs >= phase.fromMs && atMs < phase.untilMs;
    const all = heard.filter(isMeant).flatMap((one) => one.sends);
    const sends = all.filter(({ endedMs }) => isIn(endedMs));
    const took = sends.map(({ startedMs, endedMs }) => endedMs - startedMs).toSorted((a, b) => a - b);
    const at = (part: number) => took[Math.min(took.length - 1, Math.floor(took.length * part))] ?? 0;
    return {
      phase: phase.what,
      where,
      count: sends.length,
      refused: all.flatMap(({ failedTries }) => failedTries).filter(({ atMs }) => isIn(atMs)).length,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
    };
  });
}

/** Returns the failures that nobody noticed: they would prove nothing. */
const unharmed = (sends: readonly Sends[]): string[] =>
  sends
    .filter(
      ({ phase, where, refused }) =>
        where === 'at the server' && refused === 0 && (phase === 'dead' || phase === 'hanging'),
    )
    .map(({ phase }) => `nobody was refused at the server that was ${phase}`);

/** Returns which answers nobody may get: elsewhere any refusal, and at the server any that is not the documented one. */
function wrongAnswers(heard: readonly Heard[], server: Postgres): string[] {
  const counts = new Map<string, number>();
  for (const { organization, sends } of heard) {
    const isThere = organization.port === server.port;
    for (const what of sends.flatMap(failures)) {
      if (isThere && what === documented) continue;
      const line = `${isThere ? 'at the server' : 'elsewhere'}: ${what}`;
      counts.set(line, (counts.get(line) ?? 0) + 1);
    }
  }
  return [...counts].map(([line, count]) => `${line} (${count} ×)`);
}

const documented = '503 SERVER_NOT_READY, Retry-After';

const failures = ({ failedTries }: SteadySend): string[] =>
  failedTries.map(({ status, answer }) =>
    answer
      ? `${status} ${String(answer.body['code'])}, ${answer.retryAfter === undefined ? 'no ' : ''}Retry-After`
      : 'no answer',
  );

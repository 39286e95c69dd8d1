import { chmod, rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { migrate } from '@parley/db';
import { type Cluster, makeTiedFolder, startCluster } from '@parley/infra';

import { type ChaosRealm, createChaosRealm } from '../chaos/chaos-realm.ts';
import { type ScheduleVerdict, checkSchedule, readSchedule } from '../chaos/schedule-checker.ts';
import { table } from '../support/picture.ts';
import { untilDelivered } from './deliver.ts';
import { scheduleBurst } from './schedule.ts';

const usage = `npm run burst -- [--messages 10000] [--authors 200] [--worker 3] [--outage 15] [--json]

Schedules messages that become due in the same minute, and lets real workers send them, while Redis is emptied and a
worker is killed half-way. Then the same once more, for messages that became due while all workers were down: the
waiting is left out, by times that lie in the past. Compares the messages with what was scheduled, and exits with 1 if
any was not sent exactly once, and in the order of its author's times.`;

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '10000' },
    authors: { type: 'string', default: '200' },
    worker: { type: 'string', default: '3' },
    outage: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}
const messages = Number(values.messages);
const outageMs = Number(values.outage) * 60_000;
const say = (line: string) => process.stderr.write(`${line}\n`);

interface Run extends ScheduleVerdict {
  name: string;
  faults: string[];
  /** From the first time at which workers could send to the last message, in seconds. */
  seconds: number;
  /** How long after that time messages were sent, in ms. */
  waitMs: ScheduleVerdict['latenessMs'];
}

async function runMinute(cluster: Cluster, realm: ChaosRealm): Promise<Run> {
  say(`Scheduling ${messages} messages for one minute …`);
  const scheduled = await schedule(cluster, realm, 'minute', () => Date.now() + 5000);
  say('Their minute comes …');
  return await finish(cluster, 'due in the same minute', { prefix: 'minute', scheduled });
}

async function runOutage(cluster: Cluster, realm: ChaosRealm): Promise<Run> {
  const workers = cluster.nodes.filter(({ role }) => role === 'worker');
  await cluster.whenReady();
  await Promise.all(workers.map((worker) => cluster.drain(worker)));
  say(`All workers are down. Scheduling ${messages} messages for ${values.outage} minutes ago …`);
  const scheduled = await schedule(cluster, realm, 'outage', () => Date.now() - outageMs);
  say('The workers start …');
  const startMs = Date.now();
  await Promise.all(workers.map((worker) => cluster.start(worker)));
  const name = `workers down for ${values.outage} minutes`;
  return await finish(cluster, name, { prefix: 'outage', scheduled, startMs });
}

const schedule = (cluster: Cluster, realm: ChaosRealm, prefix: string, startMs: () => number) =>
  scheduleBurst(
    { databaseUrl: cluster.postgres.url, redisUrl: cluster.redis.url, secret: cluster.secret },
    realm,
    { prefix, messages, startMs },
  );

interface Scheduled {
  prefix: string;
  scheduled: Awaited<ReturnType<typeof schedule>>;
  /** When workers could send the first; without it, at its time. */
  startMs?: number;
}

async function finish(
  cluster: Cluster,
  name: string,
  { prefix, scheduled, startMs = 0 }: Scheduled,
): Promise<Run> {
  const faults = await untilDelivered(cluster, { prefix, messages }, say);
  const { sent, waiting } = await readSchedule(cluster.postgres.url, prefix);
  const possible = scheduled.map((one) => ({ ...one, dueMs: Math.max(one.dueMs, startMs) }));
  const firstMs = Math.min(...possible.map(({ dueMs }) => dueMs));
  return {
    name,
    faults,
    seconds: Math.round((Math.max(...sent.map(({ atMs }) => atMs)) - firstMs) / 100) / 10,
    ...checkSchedule(scheduled, sent, waiting),
    waitMs: checkSchedule(possible, sent, waiting).latenessMs,
  };
}

const isClean = (run: Run) =>
  run.scheduledLost + run.scheduledRepeated + run.scheduledUnended + run.scheduledReordered === 0 &&
  run.faults.length === 2;

function describe(run: Run): string {
  const { p50, p99, max } = run.latenessMs;
  const ms = (value: number) => Math.round(value);
  const isLate = run.waitMs.p50 !== p50;
  return `\n  ${run.name}\n\n${table([
    ['scheduled', messages],
    ['faults', run.faults.join(', ')],
    ['lost', run.scheduledLost],
    ['sent again', run.scheduledRepeated],
    ['schedule not ended', run.scheduledUnended],
    ['out of order', run.scheduledReordered],
    ['lateness p50 ms', ms(p50)],
    ['lateness p99 ms', ms(p99)],
    ['lateness max ms', ms(max)],
    ...(isLate
      ? ([
          ['after the start p50 ms', ms(run.waitMs.p50)],
          ['after the start p99 ms', ms(run.waitMs.p99)],
          ['after the start max ms', ms(run.waitMs.max)],
        ] as const)
      : []),
    ['seconds', run.seconds],
    ['messages/s', Math.round(messages / run.seconds)],
  ])}`;
}

const dir = await makeTiedFolder('parley-burst-');
// Postgres does not run as root, and its own user has to get in.
await chmod(dir, 0o755);
const runs: Run[] = [];
try {
  let realm: ChaosRealm | undefined;
  await using cluster = await startCluster({
    dir,
    api: 1,
    queue: 1,
    worker: Number(values.worker),
    env: { LOG_LEVEL: 'warn' },
    say,
    prepare: async (servers) => {
      await migrate(servers.databaseUrl);
      realm = await createChaosRealm(servers, { members: Number(values.authors) });
    },
  });
  if (!realm) throw new Error('The realm was not created.');
  runs.push(await runMinute(cluster, realm), await runOutage(cluster, realm));
} finally {
  await rm(dir, { recursive: true, force: true });
}

for (const run of runs) process.stdout.write(`${values.json ? JSON.stringify(run) : describe(run)}\n`);
const isDone = runs.every(isClean);
if (!values.json) {
  process.stdout.write(isDone ? '\nEach was sent exactly once.\n' : '\nNOT each was sent exactly once.\n');
}
process.exit(isDone ? 0 : 1);

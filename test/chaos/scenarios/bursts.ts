import { scheduleBurst } from '../burst.ts';
import { flush } from './ours.ts';
import { type Scenario, type Scheduling, type Stage, everyMs } from './scenario.ts';

/** The minute begins when the slowest machine has scheduled all of them. */
const aheadMs = 5000;
const outageMs = 15 * 60_000;

/** Empties Redis when a quarter is sent, and kills a worker half-way. */
async function breakHalfWay(stage: Stage, turn: number): Promise<void> {
  if (turn > 0) return;
  const { cluster, onFault, untilSent } = stage;
  await untilSent(0.25);
  await flush(stage);
  await untilSent(0.5);
  const worker = workersOf(cluster)[0];
  if (!worker) throw new Error('There is no worker.');
  onFault(`SIGKILL ${worker.name}`);
  cluster.kill(worker);
  await untilSent(1);
  await cluster.whenReady();
}

const workersOf = ({ nodes }: Stage['cluster']) => nodes.filter(({ role }) => role === 'worker');

async function scheduleAll(scheduling: Scheduling, startMs: () => number) {
  const { cluster, links, realm, messages, prefix, say } = scheduling;
  say(`Scheduling ${messages} messages …`);
  const backends = { databaseUrl: links.databaseUrl, secret: cluster.secret };
  return await scheduleBurst(backends, realm, { prefix, messages, startMs });
}

const halfWay = { isApart: true, everyMs, turnsPerRound: () => 1, breakOne: breakHalfWay };

export const burstScenarios: readonly Scenario[] = [
  {
    name: 'burst',
    about: 'ten thousand messages are due in one minute; FLUSHALL and SIGKILL of a worker on the way',
    schedules: (scheduling) => scheduleAll(scheduling, () => Date.now() + aheadMs),
    ...halfWay,
  },
  {
    name: 'outage',
    about: 'the same for messages that became due while all workers were down for 15 minutes',
    async schedules(scheduling) {
      const { cluster } = scheduling;
      const workers = workersOf(cluster);
      await Promise.all(workers.map((worker) => cluster.drain(worker)));
      // Nobody waits for a quarter of an hour: their times lie in the past.
      const scheduled = await scheduleAll(scheduling, () => Date.now() - outageMs);
      const possibleMs = Date.now();
      await Promise.all(workers.map((worker) => cluster.start(worker)));
      return scheduled.map((one) => ({ ...one, possibleMs }));
    },
    ...halfWay,
  },
];

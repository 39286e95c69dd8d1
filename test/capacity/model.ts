import type { RequestCost } from '../bench/costs.ts';

/** What benchmarks measured: the parts of the output of `npm run bench -- --json` that the calculation stands on. */
export interface Figures {
  fanout: { parley_cpu_us: number };
  memory: { parley_kib_per_poll: number };
  sends: { appends_per_second: number };
  costs: { requests: RequestCost[] };
}

/** A deployment, and how it is used. Rates are those of its busiest minutes. */
export interface Deployment {
  users: number;
  realms: number;
  /** Users of the largest realm. */
  largest: number;
  /** Part of the users who are connected at once. */
  online: number;
  /** Event queues of somebody who is connected. */
  queuesPerUser: number;
  /** Users who hear an ordinary message: the members of its conversation who are connected. */
  audience: number;
}

/** One part of a deployment: how much of it is needed, and what follows from that. */
interface Need {
  part: string;
  /** How many processes, or how much of the one that there is (1: all of it). */
  amount: number;
  unit: string;
  /** Where it comes from, in words with its figures. */
  because: string;
}

/**
 * Requests per second of somebody who is connected. The presence of a client is sent once a minute; the others follow
 * from their shares of all requests in a published mix, where presence has 36 %.
 */
const presencePerSecond = 1 / 60;
const shares = { presence: 36, history: 3, flags: 1.5, send: 0.5, register: 0.3 };
/** A processor, a pool or a primary that is used more than this has no room for a node that dies. */
const usedMax = 0.6;
/** What Postgres is given here: cores of its primary. */
const postgresCores = 32;
/** File descriptors of a queue node, as systems give them by default (20 000), without those that are not polls. */
const pollsPerNode = 19_000;
/** A message to everyone has to be told within this time. */
const announcementSeconds = 2;
/** A node reads the log of all realms that it has polls of: of nearly all. */
const entryBytes = 900;
const streamMib = 512;
const queueBytes = 1024;

const perSecond = (kind: keyof typeof shares, online: number) =>
  online * presencePerSecond * (shares[kind] / shares.presence);

export interface Capacity {
  online: number;
  sendsPerSecond: number;
  needs: Need[];
  /** The parts of which there can be only one, the fullest first; 1 is all of it. */
  limits: Need[];
}

/** What a deployment needs, from what was measured. */
export function capacityOf(deployment: Deployment, figures: Figures): Capacity {
  const work = workOf(deployment, figures);
  return {
    online: work.online,
    sendsPerSecond: work.sends,
    needs: needsOf(work, figures),
    limits: limitsOf(work, figures).sort((a, b) => b.amount - a.amount),
  };
}

type Cost = 'apiUs' | 'postgresUs' | 'redisUs' | 'walBytes' | 'diskBytes' | 'redisBytes';
type Work = ReturnType<typeof workOf>;

/** What a deployment has to do in each second of its busiest time. */
function workOf({ users, largest, ...use }: Deployment, figures: Figures) {
  const online = users * use.online;
  const polls = online * use.queuesPerUser;
  const costs = new Map(figures.costs.requests.map((cost) => [cost.name, cost]));
  const total = (key: Cost) =>
    (Object.keys(shares) as (keyof typeof shares)[]).reduce(
      (sum, kind) => sum + perSecond(kind, online) * (costs.get(kind)?.[key] ?? 0),
      0,
    );
  const sends = perSecond('send', online);
  const deliveries = sends * use.audience * use.queuesPerUser;
  const deliverySeconds = figures.fanout.parley_cpu_us / 1e6;
  const largestPolls = largest * use.online * use.queuesPerUser;
  const queueNodes = {
    sockets: polls / pollsPerNode,
    processor: (deliveries * deliverySeconds) / usedMax,
    announcement: (largestPolls * deliverySeconds) / announcementSeconds,
  };
  const queue = Math.ceil(Math.max(...Object.values(queueNodes)));
  const whichQueue = Object.entries(queueNodes).reduce((a, b) => (b[1] > a[1] ? b : a))[0];
  const largestSends = perSecond('send', largest * use.online);
  return { online, polls, total, sends, deliveries, largestPolls, queue, whichQueue, largestSends };
}

const gib = 2 ** 30;
const daySeconds = 86_400 / 3;

function needsOf(work: Work, figures: Figures): Need[] {
  const { polls, total, sends, deliveries, largestPolls, queue, whichQueue } = work;
  return [
    {
      part: 'api nodes',
      amount: Math.ceil(total('apiUs') / 1e6 / usedMax),
      unit: 'processes',
      because: `${two(total('apiUs') / 1e6)} s of processor time per second (bench costs)`,
    },
    {
      part: 'queue nodes',
      amount: queue,
      unit: 'processes',
      because: `${whichQueue}: ${count(polls)} polls at ${count(pollsPerNode)} a process, ${count(deliveries)} deliveries/s of ${figures.fanout.parley_cpu_us} µs (bench fanout), an announcement to ${count(largestPolls)} within ${announcementSeconds} s`,
    },
    {
      part: 'memory of polls',
      amount: two((polls * figures.memory.parley_kib_per_poll) / 2 ** 20),
      unit: 'GiB',
      because: `${figures.memory.parley_kib_per_poll} KiB each (bench memory)`,
    },
    {
      part: 'workers',
      amount: Math.max(2, Math.ceil((sends * 0.002) / usedMax)),
      unit: 'processes',
      because: 'notifications read each log once a second; two, so that one may die',
    },
    {
      part: 'Redis, memory',
      amount: two((streamMib * 2 ** 20 + polls * queueBytes) / gib),
      unit: 'GiB',
      because: 'streams of the log at most, and a queue of 1 KiB for each poll',
    },
    {
      part: 'Redis, to nodes',
      amount: two((sends * entryBytes * queue * 8) / 1e6),
      unit: 'Mbit/s',
      because: `${count(sends)} entries/s of ${entryBytes} bytes to each queue node`,
    },
    {
      part: 'Postgres, log of writes',
      amount: two((total('walBytes') * daySeconds) / gib),
      unit: 'GiB a day',
      because: 'bench costs; a day has a third of its seconds as busy as its busiest',
    },
    {
      part: 'Postgres, growth',
      amount: two((total('diskBytes') * daySeconds) / gib),
      unit: 'GiB a day',
      because: 'bench costs',
    },
  ];
}

function limitsOf({ total, sends, queue, largestSends }: Work, figures: Figures): Need[] {
  const appends = sends / figures.sends.appends_per_second;
  return [
    {
      part: 'Postgres, processor',
      amount: two(total('postgresUs') / 1e6 / postgresCores / usedMax),
      unit: `of ${postgresCores} cores`,
      because: 'bench costs. Then: realms on several primaries',
    },
    {
      part: 'Postgres, appends',
      amount: two(appends / usedMax),
      unit: 'of what all realms append',
      because: `bench sends: ${figures.sends.appends_per_second}/s, measured on one realm. Then: realms on several primaries`,
    },
    {
      part: 'the log of the largest realm',
      amount: two(largestSends / figures.sends.appends_per_second / usedMax),
      unit: 'of what one realm appends',
      because: `bench sends: ${count(largestSends)} of ${figures.sends.appends_per_second}/s. Then: a faster primary; a log is never divided`,
    },
    {
      part: 'Redis, processor',
      amount: two(total('redisUs') / 1e6 / usedMax),
      unit: 'of one core',
      because: 'bench costs. Then: Redis Cluster',
    },
    {
      part: 'Redis, network',
      amount: two((sends * entryBytes * queue * 8) / 10e9 / usedMax),
      unit: 'of 10 Gbit/s',
      because: 'every queue node reads every stream. Then: realms on several deployments',
    },
  ];
}

const two = (value: number) => (value >= 100 ? Math.round(value) : Number(value.toPrecision(2)));
const count = (value: number) => Math.round(value).toLocaleString('en').replaceAll(',', ' ');

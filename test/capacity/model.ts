import type { RequestCost } from '../bench/costs.ts';
import { connectionsOfNodes } from '../docs/connections.ts';

/** What benchmarks measured: the parts of the output of `npm run bench -- --json` that the calculation stands on. */
export interface Figures {
  fanout: { parley_cpu_us: number };
  memory: { parley_kib_per_poll: number };
  sends: { appends_per_second: number };
  costs: { requests: RequestCost[] };
  /** Seconds of processor time in a minute, by how many of a realm are connected. */
  presence: { minutes: { connected: number; api: number; postgres: number }[] };
  marks: { postgres_us_each: number; wal_bytes_each: number };
  joins: { costs: { there: number; postgresUs: number; walBytes: number }[] };
  large: { people: number; storm: { apiMsEach: number; postgresMsEach: number } };
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
/** What costs as much in any realm, as `bench costs` measures it. */
const anywhere = ['history', 'flags', 'send'] as const;
/** Everybody joins or leaves a channel so often in a day. */
const joinsPerDay = 0.2;
/** An announcement to everyone is read by those who are connected within this time. */
const readingSeconds = 60;
/** The realm in which `bench costs` asks. */
const smallRealm = 500;
/** A processor, a pool or a primary that is used more than this has no room for a node that dies. */
const usedMax = 0.6;
/** What Postgres is given here: cores of its primary. */
const postgresCores = 32;
/** File descriptors of a queue node, as systems give them by default (20 000), without those that are not polls. */
const pollsPerNode = 19_000;
/** A message to everyone has to be told within this time. */
const announcementSeconds = 2;
/** A node reads the log of all realms that it has polls of: of nearly all, where the gateway does not hash by them. */
const entryBytes = 900;
const streamMib = 512;
const queueBytes = 1024;

/** So many nodes there are at once, for each, while all are replaced. */
const whileReplaced = 1.25;
/** A day has a third of its seconds as busy as its busiest. */
const daySeconds = 86_400 / 3;

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

/** Realms of one size. */
interface Realms {
  count: number;
  users: number;
  online: number;
}

/** The largest realm, and the others, which are alike. */
function realmsOf({ users, realms, largest, online }: Deployment): Realms[] {
  const others = Math.max(0, realms - 1);
  const each = others === 0 ? 0 : Math.max(0, users - largest) / others;
  return [
    { count: 1, users: largest, online: largest * online },
    { count: others, users: each, online: each * online },
  ];
}

/** Returns the value at `at` on the line through the neighbours among the points, or through the last two. */
function onLine(points: readonly (readonly [number, number])[], at: number): number {
  const end = Math.max(
    1,
    points.findIndex(([x]) => x >= at) === -1 ? points.length - 1 : points.findIndex(([x]) => x >= at),
  );
  const [[x1, y1], [x2, y2]] = [points[end - 1] ?? [0, 0], points[end] ?? [1, 0]];
  return y1 + ((at - x1) * (y2 - y1)) / (x2 - x1);
}

/** What the requests cost whose cost follows the size of their realm, in seconds of processor time in a second. */
function costsBySize(realms: readonly Realms[], figures: Figures) {
  const measured = new Map(figures.costs.requests.map((cost) => [cost.name, cost]));
  const sum = (costOf: (realm: Realms) => number) =>
    realms.reduce((total, realm) => total + realm.count * costOf(realm), 0);
  const presence = (part: 'api' | 'postgres') => {
    const ofOne = (measured.get('presence')?.[part === 'api' ? 'apiUs' : 'postgresUs'] ?? 0) / 1e6;
    // In a small realm everybody's presence costs what one costs; from there on it was measured.
    const points: [number, number][] = [
      [0, 0],
      [smallRealm, (smallRealm * ofOne) / 60],
      ...figures.presence.minutes.map(({ connected, [part]: seconds }): [number, number] => [
        connected,
        seconds / 60,
      ]),
    ];
    return sum(({ online }) => onLine(points, online));
  };
  const register = (part: 'api' | 'postgres') => {
    const inSmall = (measured.get('register')?.[part === 'api' ? 'apiUs' : 'postgresUs'] ?? 0) / 1e6;
    const { people, storm } = figures.large;
    const inLarge = storm[part === 'api' ? 'apiMsEach' : 'postgresMsEach'] / 1000;
    const points: [number, number][] = [
      [smallRealm, inSmall],
      [people, Math.max(inSmall, inLarge)],
    ];
    return sum(
      ({ users, online }) => perSecond('register', online) * onLine(points, Math.max(users, smallRealm)),
    );
  };
  const join = figures.joins.costs.at(-1);
  const joins = sum(({ users }) => (users * joinsPerDay) / daySeconds);
  const [largest] = realms;
  const marks = (largest?.online ?? 0) / readingSeconds;
  return {
    presence: { api: presence('api'), postgres: presence('postgres') },
    register: { api: register('api'), postgres: register('postgres') },
    joins: {
      perSecond: joins,
      postgres: (joins * (join?.postgresUs ?? 0)) / 1e6,
      wal: joins * (join?.walBytes ?? 0),
    },
    marks: { perSecond: marks, postgres: (marks * figures.marks.postgres_us_each) / 1e6 },
  };
}

/** What a deployment has to do in each second of its busiest time. */
function workOf(deployment: Deployment, figures: Figures) {
  const { users, largest, ...use } = deployment;
  const online = users * use.online;
  const polls = online * use.queuesPerUser;
  const costs = new Map(figures.costs.requests.map((cost) => [cost.name, cost]));
  const realms = realmsOf(deployment);
  const bySize = costsBySize(realms, figures);
  const total = (key: Cost) => {
    const alike = anywhere.reduce(
      (sum, kind) => sum + perSecond(kind, online) * (costs.get(kind)?.[key] ?? 0),
      0,
    );
    const others = (['presence', 'register'] as const).reduce(
      (sum, kind) => sum + perSecond(kind, online) * (costs.get(kind)?.[key] ?? 0),
      0,
    );
    if (key === 'apiUs') return alike + (bySize.presence.api + bySize.register.api) * 1e6;
    if (key === 'postgresUs')
      return (
        alike +
        (bySize.presence.postgres +
          bySize.register.postgres +
          bySize.joins.postgres +
          bySize.marks.postgres) *
          1e6
      );
    return alike + others + (key === 'walBytes' ? bySize.joins.wal : 0);
  };
  const sends = perSecond('send', online);
  const flags = perSecond('flags', online);
  const entries = sends + flags + bySize.joins.perSecond;
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
  return {
    online,
    polls,
    total,
    bySize,
    sends,
    flags,
    entries,
    deliveries,
    largestPolls,
    queue,
    whichQueue,
    largestSends,
  };
}

const gib = 2 ** 30;

function needsOf(work: Work, figures: Figures): Need[] {
  const { polls, total, bySize, sends, entries, deliveries, largestPolls, queue, whichQueue } = work;
  const nodes = {
    api: Math.ceil(total('apiUs') / 1e6 / usedMax),
    queue,
    worker: Math.max(2, Math.ceil((sends * 0.002) / usedMax)),
  };
  const connections = connectionsOfNodes();
  const roles = ['api', 'queue', 'worker'] as const;
  const opened = (to: 'postgres' | 'redis') =>
    roles.reduce((sum, role) => sum + Math.ceil(nodes[role] * whileReplaced) * connections[role][to], 0);
  return [
    {
      part: 'api nodes',
      amount: nodes.api,
      unit: 'processes',
      because: `${two(total('apiUs') / 1e6)} s of processor time per second: presence ${two(bySize.presence.api)} (bench presence), registrations ${two(bySize.register.api)} (bench large), the rest bench costs`,
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
      amount: nodes.worker,
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
      amount: two((entries * entryBytes * queue * 8) / 1e6),
      unit: 'Mbit/s',
      because: `${count(entries)} entries/s of ${entryBytes} bytes to each queue node`,
    },
    {
      part: 'Postgres, connections',
      amount: opened('postgres'),
      unit: 'while nodes are replaced',
      because: roles.map((role) => `${role} ${connections[role].postgres} each`).join(', '),
    },
    {
      part: 'Redis, connections',
      amount: opened('redis'),
      unit: 'while nodes are replaced',
      because: roles.map((role) => `${role} ${connections[role].redis} each`).join(', '),
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

function limitsOf(
  { total, bySize, flags, entries, sends, queue, largestSends }: Work,
  figures: Figures,
): Need[] {
  const { presence, register, joins, marks } = bySize;
  // A mark is appended with others, as a message is, and takes less.
  const appends = entries / figures.sends.appends_per_second;
  const largestAppends = largestSends + marks.perSecond;
  return [
    {
      part: 'Postgres, processor',
      amount: two(total('postgresUs') / 1e6 / postgresCores / usedMax),
      unit: `of ${postgresCores} cores`,
      because: `presence ${two(presence.postgres)} cores, registrations ${two(register.postgres)}, joins ${two(joins.postgres)}, an announcement that all of the largest realm read in a minute ${two(marks.postgres)} (bench presence, large, joins, marks), the rest bench costs. Then: realms on several primaries`,
    },
    {
      part: 'Postgres, appends',
      amount: two(appends / usedMax),
      unit: 'of what all realms append',
      because: `bench sends: ${count(sends)} messages, ${count(flags)} marks and ${count(joins.perSecond)} joins of ${figures.sends.appends_per_second}/s, measured on one realm. Then: realms on several primaries`,
    },
    {
      part: 'the log of the largest realm',
      amount: two(largestAppends / figures.sends.appends_per_second / usedMax),
      unit: 'of what one realm appends',
      because: `bench sends: ${count(largestSends)} messages and ${count(marks.perSecond)} marks of ${figures.sends.appends_per_second}/s, while all read an announcement. Then: a faster primary; a log is never divided`,
    },
    {
      part: 'Redis, processor',
      amount: two(total('redisUs') / 1e6 / usedMax),
      unit: 'of one core',
      because: 'bench costs. Then: Redis Cluster',
    },
    {
      part: 'Redis, network',
      amount: two((entries * entryBytes * queue * 8) / 10e9 / usedMax),
      unit: 'of 10 Gbit/s',
      because: 'every queue node reads every stream. Then: realms on several deployments',
    },
  ];
}

const two = (value: number) => (value >= 100 ? Math.round(value) : Number(value.toPrecision(2)));
const count = (value: number) => Math.round(value).toLocaleString('en').replaceAll(',', ' ');

import { conclude, readArguments, refuseArguments, sayProgress as say } from '@parley/infra';

import { bars, table } from '../support/picture.ts';
import { type BenchServers, startBenchServers } from './bench-servers.ts';
import { type BigRealm, bigRealm, foundBigRealm } from './big-realm.ts';
import { costs } from './costs.ts';
import { gatherCrowd } from './crowd.ts';
import { costOfExport } from './exports.ts';
import { fanOut } from './fan-out-finding.ts';
import type { Bench, Finding } from './finding.ts';
import { costOfGroups } from './groups.ts';
import { heartbeats } from './heartbeats.ts';
import { joins } from './joins.ts';
import { large } from './large.ts';
import { costOfOrdinaryLinkifiers, growthOfLinkifiers } from './linkifiers.ts';
import { costOfAdversarialMessages, costOfOrdinaryMessages } from './markdown.ts';
import { marks } from './marks.ts';
import { type PollMemory, memoryOfFloor, memoryOfNode } from './memory.ts';
import { median, two } from './numbers.ts';
import { presence } from './presence.ts';
import {
  type ReadCost,
  costOfHistory,
  costOfRegister,
  costOfRows,
  costOfUsers,
  startReading,
} from './reads.ts';
import { stormOfRegistrations } from './register-storm.ts';
import { rings } from './rings.ts';
import { appendsPerSecond, insertsPerSecond, requestsPerSecond } from './sends.ts';
import { costsOfSends } from './subscribers.ts';

const memoryPolls = 8000;
const sendTotal = 20_000;
const sendWorkers = 128;
const crowds = [10, 1000, 10_000, 100_000];
const repeats = 3;
/** Appends share their rows' commits, so fewer than half as many as inserts means that something is wrong. */
const appendRatioMin = 0.5;
/** A median of 2 000 sends varies by less. */
const subscribersRatioMax = 1.5;
/** In proportion is 10. */
const growthMax = 20;

const benches: Record<string, Bench> = {
  fanout: fanOut,
  heartbeats,
  joins,
  large,
  marks,
  presence,

  async memory(servers, say) {
    const crowd = await gatherCrowd(servers, memoryPolls);
    const [ours, floors] = [[], []] as [PollMemory[], PollMemory[]];
    for (let repeat = 1; repeat <= repeats; repeat += 1) {
      say(`memory of ${memoryPolls} parked polls, ${repeat} of ${repeats} …`);
      ours.push(await memoryOfNode(servers, crowd));
      floors.push(await memoryOfFloor(servers, memoryPolls));
    }
    const when = (state: keyof PollMemory) => {
      const [node, floor] = [ours, floors].map((all) => median(all.map((one) => one[state])));
      return { node: two(node ?? 0), floor: two(floor ?? 0), ratio: two((node ?? 0) / (floor ?? 1)) };
    };
    const [fresh, used] = [when('fresh'), when('used')];
    return {
      figures: {
        polls: memoryPolls,
        parley_kib_per_poll: fresh.node,
        floor_kib_per_poll: fresh.floor,
        ratio: fresh.ratio,
        after_20_fan_outs: { parley_kib: used.node, floor_kib: used.floor, ratio: used.ratio },
      },
      claim: { holds: fresh.ratio < 1, result: `${fresh.ratio} × the memory of a bare server's poll` },
      rows: [
        ['memory per parked poll, KiB', fresh.node],
        ['  bare node:http, KiB', fresh.floor],
        ['  ratio (1 = the floor; less is better)', fresh.ratio],
        ['  after 20 fan-outs, KiB', used.node],
        ['  bare node:http, KiB', used.floor],
        ['  ratio', used.ratio],
      ],
      picture: [],
    };
  },

  async sends(servers, say) {
    const crowd = await gatherCrowd(servers, 100);
    const counts = { inserts: [], appends: [], requests: [] } as Record<
      'inserts' | 'appends' | 'requests',
      number[]
    >;
    for (let repeat = 1; repeat <= repeats; repeat += 1) {
      say(`sending with ${sendWorkers} at once, ${repeat} of ${repeats} …`);
      counts.inserts.push(await insertsPerSecond(servers, sendTotal, sendWorkers));
      counts.appends.push(await appendsPerSecond(servers, crowd, sendTotal, sendWorkers));
      counts.requests.push(await requestsPerSecond(servers, crowd, sendTotal, sendWorkers));
    }
    const [inserts, appends, requests] = [
      median(counts.inserts),
      median(counts.appends),
      median(counts.requests),
    ];
    const figures = {
      at_once: sendWorkers,
      inserts_per_second: inserts,
      appends_per_second: appends,
      requests_per_second: requests,
      append_ratio: two(appends / inserts),
      request_ratio: two(requests / inserts),
    };
    return {
      figures,
      claim: {
        holds: figures.append_ratio > appendRatioMin,
        result: `${figures.append_ratio} × the rate of single-row inserts`,
      },
      rows: [
        ['messages into the log/s', appends],
        ['  single-row inserts/s, same Postgres', inserts],
        ['  ratio (1 = the floor; more is better)', figures.append_ratio],
        ['POST /messages/s, one api node', requests],
        ['  ratio to the inserts', figures.request_ratio],
      ],
      picture: [
        ['sends: into the log', appends],
        ['sends: POST /messages', requests],
        ['sends: floor', inserts],
      ],
    };
  },

  async subscribers(servers, say) {
    const gathered = [];
    for (const size of crowds) {
      say(`gathering ${size} subscribers …`);
      gathered.push(await gatherCrowd(servers, size));
    }
    say('one send to each, again and again …');
    const costs = await costsOfSends(servers, gathered);
    const [first, last] = [costs[0], costs.at(-1)];
    const ratio = (of: 'p50Ms' | 'p99Ms') => two((last?.[of] ?? 0) / (first?.[of] ?? 1));
    return {
      figures: { costs, ratio: ratio('p50Ms'), p99_ratio: ratio('p99Ms') },
      claim: {
        holds: ratio('p50Ms') < subscribersRatioMax && first?.rowsWritten === last?.rowsWritten,
        result: `${last?.rowsWritten} rows, p50 ${ratio('p50Ms')} × from 10 to 100 000 subscribers`,
      },
      rows: [
        ...costs.map(({ subscribers, rowsWritten, entryBytes, p50Ms, p99Ms }): [string, string] => [
          `one send to ${subscribers} subscribers`,
          `${rowsWritten} rows  ${entryBytes} bytes  p50 ${p50Ms} ms  p99 ${p99Ms} ms`,
        ]),
        ['  most against fewest, p50  p99', `${ratio('p50Ms')}  ${ratio('p99Ms')}`],
      ],
      picture: [],
    };
  },

  async 'register-storm'(servers, say) {
    const crowd = await gatherCrowd(servers, 10_000);
    say('everybody registers at once …');
    const storm = await stormOfRegistrations(servers, crowd);
    return {
      figures: { ...storm },
      claim: { holds: true, result: `${storm.clients} clients registered in ${storm.secondsToAll} s` },
      rows: [
        [`${storm.clients} clients of a realm of 10 000 register at once, s`, storm.secondsToAll],
        ['  each, p50  p99, s', `${storm.p50Seconds}  ${storm.p99Seconds}`],
        ['  told to come again', storm.refusals],
        ['  reply, KiB', storm.replyKib],
        ['  processor time of each, ms', storm.cpuMsEach],
        ['  memory of the api node before and at most, MiB', `${storm.idleMib}  ${storm.peakMib}`],
      ],
      picture: [],
    };
  },

  markdown(_, say) {
    say('Markdown …');
    const { kinds, all } = costOfOrdinaryMessages();
    const { slowest, fastestGrowing } = costOfAdversarialMessages();
    const shown = (cost: typeof all) => `${cost.us}  ${cost.floor_us}  ${cost.ratio}`;
    return Promise.resolve({
      figures: { ...all, kinds, slowest, fastest_growing: fastestGrowing },
      claim: {
        holds: fastestGrowing.every(({ growth }) => growth < growthMax),
        result: `${all.ratio} × the time of markdown-it; ten times the text takes ${fastestGrowing[0]?.growth} × the time at most`,
      },
      rows: [
        ['messages to HTML', 'µs  markdown-it, µs  ratio (less is better)'],
        ['  ordinary ones', shown(all)],
        ...kinds.map((kind): [string, string] => [`    ${kind.name}`, shown(kind)]),
        ['made to be slow, 10⁴ characters', 'ms  markdown-it, ms  growth to 10⁵ (10 is in proportion)'],
        ...[...slowest, ...fastestGrowing].map(({ piece, ms, floor_ms, growth }): [string, string] => [
          `  ${JSON.stringify(piece)}`,
          `${ms}  ${floor_ms}  ${growth}`,
        ]),
      ],
      picture: [],
    });
  },

  async linkifiers(_, say) {
    say('linkifiers …');
    const ordinaryUs = costOfOrdinaryLinkifiers();
    const growths = growthOfLinkifiers();
    return {
      figures: { ordinary_us: ordinaryUs, adversarial: growths },
      claim: {
        holds: growths.every(({ growth }) => growth < growthMax),
        result: `ten times the text takes ${Math.max(...growths.map(({ growth }) => growth))} × the time at most`,
      },
      rows: [
        ['twenty linkifiers, an ordinary message, µs', ordinaryUs],
        ['linkifiers made to be slow', '10⁴ characters, ms  10⁵, ms  growth'],
        ...growths.map(({ name, small_ms, large_ms, growth }): [string, string] => [
          `  ${name}`,
          `${small_ms}  ${large_ms}  ${growth}`,
        ]),
      ],
      picture: [],
    };
  },
};

/** How much there is to read, at first and in the end: what a read costs must not follow it. */
const readSizes = { small: 250_000, full: 1_000_000 };
/** In proportion to the history is 4. */
const readGrowthMax = 3;

let founded: Promise<BigRealm> | undefined;
const getBigRealm: (...args: Parameters<typeof foundBigRealm>) => Promise<BigRealm> = (...args) =>
  (founded ??= foundBigRealm(...args));

/** The reads of a big realm are measured together: it is founded once, and grows once. */
async function measureReads(servers: BenchServers, say: (line: string) => void) {
  const realm = await getBigRealm(servers, say);
  const measure = async (messages: number) => {
    const newestId = await realm.grow(messages);
    say(`reading among ${newestId} messages …`);
    await using reading = await startReading(servers, realm);
    return {
      register: await costOfRegister(reading),
      history: await costOfHistory(reading, realm, newestId),
      rowsMs: await costOfRows(servers, newestId),
      usersMs: await costOfUsers(servers),
    };
  };
  const small = await measure(readSizes.small);
  const full = await measure(readSizes.full - readSizes.small);
  return { small, full };
}

let reads: ReturnType<typeof measureReads> | undefined;

function findReads(
  title: string,
  pick: (measured: Awaited<ReturnType<typeof measureReads>>['full']) => {
    costs: Record<string, ReadCost>;
    floorMs: number;
  },
): Bench {
  return async (servers, say) => {
    reads ??= measureReads(servers, say);
    const { small, full } = await reads;
    const [before, after] = [pick(small), pick(full)];
    const rows = Object.entries(after.costs).map(([name, cost]) => ({
      name,
      ...cost,
      /** How the time has grown while the history grew fourfold. */
      growth: two(cost.ms / (before.costs[name]?.ms ?? cost.ms)),
      floor_ratio: two(cost.ms / after.floorMs),
    }));
    return {
      figures: { ...bigRealm, messages: readSizes.full, floor_ms: after.floorMs, reads: rows },
      claim: {
        holds: rows.every((row) => row.growth < readGrowthMax),
        result: `${title}: four times the messages take ${Math.max(...rows.map((row) => row.growth))} × the time at most`,
      },
      rows: [
        [`${title}; floor ${after.floorMs} ms`, 'ms  × floor  queries  KiB  growth'],
        ...rows.map(({ name, ms, floor_ratio, queries, kib, growth }): [string, string] => [
          `  ${name}`,
          `${ms}  ${floor_ratio}  ${queries}  ${kib}  ${growth}`,
        ]),
      ],
      picture: rows.map(({ name, ms }): [string, number] => [`${title}: ${name}, ms`, ms]),
    };
  };
}

const benchesOfReads: Record<string, Bench> = {
  register: findReads('POST /register', ({ register, usersMs }) => ({ costs: register, floorMs: usersMs })),
  history: findReads('GET /messages of 100', ({ history, rowsMs }) => ({ costs: history, floorMs: rowsMs })),
};

async function groups(servers: BenchServers, say: (line: string) => void): Promise<Finding> {
  const costs = await costOfGroups(servers, await getBigRealm(servers, say), say);
  const { changes, floorMs, sends, mentions, register } = costs;
  return {
    figures: { ...costs },
    rows: [
      ['5 000 of 10 000 members of a group', 'enter, ms  leave, ms  × floor  KiB of log'],
      ...changes.map(({ name, addMs, removeMs, entryKib }): [string, string] => [
        `  ${name}`,
        `${addMs}  ${removeMs}  ${two(addMs / floorMs)}  ${entryKib}`,
      ]),
      ['  floor: as many rows of users written, ms', floorMs],
      ['one send where a permission names the group, ms', 'before  first after  second after'],
      ['  while half of the group leaves', `${sends.before}  ${sends.firstAfter}  ${sends.secondAfter}`],
      ['one send to 10 000, ms', 'plain  with a mention of the group'],
      ['  all of whom are in the group', `${mentions.plainMs}  ${mentions.mentionMs}`],
      ['POST /register, without and with 500 groups', 'ms  ms  queries  KiB  KiB'],
      ...Object.entries(register).map(([name, { none, many }]): [string, string] => [
        `  ${name}`,
        `${none.ms}  ${many.ms}  ${many.queries}  ${none.kib}  ${many.kib}`,
      ]),
    ],
    picture: [],
  };
}

const exports: Bench = async (servers, say, options) => {
  const cost = await costOfExport(servers, await getBigRealm(servers, say), options.messages, say);
  const { messages, rows, archiveMib, exportedPerSecond, importedPerSecond } = cost;
  const mib = (peaks: number[]) => peaks.join('  ');
  return {
    figures: { ...cost },
    claim: {
      holds: cost.differences.length === 0,
      result: `${messages} messages, ${cost.differences.length} tables and replies differ after the import`,
    },
    rows: [
      [`export of ${messages} messages, ${rows} rows, messages/s`, exportedPerSecond],
      ['  by a worker that is killed half-way: seconds until the next goes on', cost.secondsWithoutWorker],
      ['  peak memory in each quarter of its time, MiB', mib(cost.workerMib)],
      ['  that of its successor, MiB', mib(cost.successorMib)],
      ['  archive, MiB', archiveMib],
      ['import of it, messages/s', importedPerSecond],
      ['  peak memory in each quarter of the time, MiB', mib(cost.importerMib)],
      ['  tables and replies that differ', cost.differences.join('; ') || 0],
    ],
    picture: [],
  };
};

const all: Record<string, Bench> = { ...benches, ...benchesOfReads, costs, groups, exports, rings };

const usage = `npm run bench -- [NAME …] [--peer nchan] [--messages 1000000] [--realms 2000] [--seconds 600]
                 [--break budget] [--json]

Measures the server beside a floor, such as a bare node:http server or plain inserts, in the same run. Without a name,
it measures everything. Exits with 1 if a figure is worse than what is claimed.

Names: ${Object.keys(all).join(', ')}

--peer nchan  measures the fan-out beside nginx with Nchan, too
--messages    of the organization that is exported
--realms      whose logs fill the memory of a queue node, in rings
--seconds     for which rings must stay within it
--break       budget: rings without a budget, to see that the check can fail`;

const { values, positionals } = readArguments(
  usage,
  {
    peer: { type: 'string' },
    messages: { type: 'string', default: '1000000' },
    realms: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '600' },
    break: { type: 'string' },
  },
  true,
);
const unknown = positionals.find((name) => !(name in all));
if (unknown !== undefined) refuseArguments(usage, `There is no benchmark ${unknown}.`);
if (!['budget', undefined].includes(values.break)) refuseArguments(usage, 'There is no such guarantee.');
if (!['nchan', undefined].includes(values.peer)) {
  refuseArguments(usage, `There is no peer ${values.peer}.`);
}

const results: Record<string, Finding> = {};
{
  await using servers = await startBenchServers(say);
  for (const [name, bench] of Object.entries(all)) {
    if (positionals.length === 0 || positionals.includes(name)) {
      results[name] = await bench(servers, say, {
        ...values,
        messages: Number(values.messages),
        realms: Number(values.realms),
        seconds: Number(values.seconds),
        broken: values.break,
      });
    }
  }
}
const findings = Object.values(results);
const claims = findings.flatMap(({ claim }) => claim ?? []);
conclude(values.json, {
  holds: claims.every(({ holds }) => holds),
  result: `${claims.map((claim) => (claim.holds ? claim.result : `NOT as claimed: ${claim.result}`)).join('; ') || 'Measured'}.`,
  report: {
    node: process.version,
    ...Object.fromEntries(Object.entries(results).map(([name, { figures }]) => [name, figures])),
  },
  text: `\n${table(findings.flatMap(({ rows }) => rows))}\n\n${bars(findings.flatMap(({ picture }) => picture))}`,
});
process.exit();

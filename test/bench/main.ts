import { conclude, readArguments, refuseArguments, sayProgress as say } from '@parley/infra';

import { bars, table } from '../support/picture.ts';
import { alone } from './alone.ts';
import { startBenchServers } from './bench-servers.ts';
import { costs } from './costs.ts';
import { exports } from './exports.ts';
import { fanOut } from './fan-out-finding.ts';
import type { Bench, Finding } from './finding.ts';
import { groups } from './groups.ts';
import { growth } from './growth.ts';
import { heartbeats } from './heartbeats.ts';
import { joins } from './joins.ts';
import { large } from './large.ts';
import { linkifiers } from './linkifiers.ts';
import { markdown } from './markdown.ts';
import { marks } from './marks.ts';
import { memory } from './memory.ts';
import { presence } from './presence.ts';
import { history, register } from './reads.ts';
import { registerStorm } from './register-storm.ts';
import { rings } from './rings.ts';
import { searches } from './searches.ts';
import { sends } from './sends.ts';
import { subscribers } from './subscribers.ts';

const all: Record<string, Bench> = {
  alone,
  fanout: fanOut,
  heartbeats,
  joins,
  large,
  marks,
  presence,
  memory,
  sends,
  subscribers,
  'register-storm': registerStorm,
  markdown,
  linkifiers,
  register,
  history,
  costs,
  groups,
  growth,
  exports,
  rings,
  searches,
};

const breaks = {
  budget: 'rings without a budget',
  alone: 'somebody else asks, too',
  growth: 'sends that look at everybody',
  history: 'pages without an index',
  searches: 'searches without an index',
};

const usage = `npm run bench -- [NAME …] [--peer nchan] [--messages 1000000] [--realms 2000] [--seconds 600]
                 [--break ${Object.keys(breaks).join('|')}] [--json]

Measures the server beside a floor, such as a bare node:http server or plain inserts, in the same run. Without a name,
it measures everything. Exits with 1 if a figure is worse than what is claimed.

Names: ${Object.keys(all).join(', ')}

--peer nchan  measures the fan-out beside nginx with Nchan, too
--messages    of the organization that is exported, or searched
--realms      whose logs fill the memory of a queue node, in rings
--seconds     for which rings must stay within it
--break       to see that the check can fail: ${Object.entries(breaks)
  .map(([name, what]) => `${name}: ${what}`)
  .join('; ')}`;

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
if (values.break !== undefined && !(values.break in breaks))
  refuseArguments(usage, 'There is no such guarantee.');
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

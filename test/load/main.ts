import { writeFile } from 'node:fs/promises';

import { conclude, readArguments, refuseArguments, sayProgress as say } from '@parley/infra';

import { mutations } from '../chaos/mutations.ts';
import { attacks } from './attacks/attacks.ts';
import { concludeLargest, findLargest } from './largest/find-largest.ts';
import { page } from './report/html.ts';
import { onWire } from './report/on-wire.ts';
import { describe, summarize } from './report/text.ts';
import { type LoadOptions, anomalies, runLoad } from './run.ts';
import { scenarios } from './scenarios.ts';

const usage = `npm run load -- [--scenario mix] [--pollers N] [--seconds N | --sends N] [--pace 1]
                [--warm-up SECONDS] [--api 2] [--queue 3] [--worker 1] [--json] [--report FILE.html] [--break GUARANTEE]
                [--replicas 0] [--attack NAME …] [--rounds 1] [--against hub]
       npm run load -- --largest [--within 200] [--pollers 500] [--seconds 30] [--json]

Runs a cluster of real processes on which thousands of clients wait for events and ask for what people ask for, and
prints how long everything took, from the moment for which it was meant. Exits with 1 if a request failed, or if a
client did not hear exactly what the log says.

--pollers  clients that wait at once; each scenario has a number of its own
--pace     how much they ask, in proportion to what the scenario says
--sends    goes on until so many messages are sent, however long that takes: clients wait for the server, then
--seconds  60, and 20 for each attack
--replicas servers that follow Postgres, and answer what they would answer as it does
--against  hub: the same clients ask the same of a bare node:http server afterwards, which keeps everything in its memory
--largest  looks for the largest number of clients, from --pollers on, at which the 99th percentile of send to heard is
           within so many milliseconds (--within), and nothing fails; prints each step, and exits with 1 if no size holds
--warm-up  so many seconds of the same come before, which count only where something fails: 60 in mix, 30 in abuse and import
--report   writes a page with tables and plots, which needs nothing besides itself

Scenarios:
${scenarios.map(({ name, about, pollers }) => `  ${name.padEnd(13)} ${about} (${pollers} clients)`).join('\n')}

The scenario abuse goes on in calm, and then under each attack, or those of --attack; the scenario import in calm, and then
until an archive is imported. They fail, too, if a node (with the
processes it has started) took more than 300 MiB, or the 99th percentile of the others' sends, reads or deliveries was more
than twice that of calm and more than 50 ms above it. In 20 s that is the second longest of 200: with --rounds 3, all
attacks come three times, and count together.

Attacks:
${attacks.map(({ name, about }) => `  ${name.padEnd(13)} ${about}`).join('\n')}

--break shows that the check can fail: ${Object.keys(mutations).join(', ')}.`;

const { values } = readArguments(usage, {
  scenario: { type: 'string', default: 'mix' },
  pollers: { type: 'string' },
  seconds: { type: 'string' },
  sends: { type: 'string' },
  'warm-up': { type: 'string' },
  pace: { type: 'string', default: '1' },
  api: { type: 'string', default: '2' },
  queue: { type: 'string' },
  worker: { type: 'string', default: '1' },
  replicas: { type: 'string', default: '0' },
  report: { type: 'string' },
  break: { type: 'string' },
  attack: { type: 'string', multiple: true, default: [] },
  rounds: { type: 'string', default: '1' },
  against: { type: 'string' },
  largest: { type: 'boolean', default: false },
  within: { type: 'string', default: '200' },
});
const scenario =
  scenarios.find(({ name }) => name === values.scenario) ??
  refuseArguments(usage, `There is no scenario ${values.scenario}.`);
const chosenAttacks =
  values.attack.length > 0 ? attacks.filter(({ name }) => values.attack.includes(name)) : attacks;
if (chosenAttacks.length < values.attack.length) refuseArguments(usage, 'There is no such attack.');
if (values.break !== undefined && !(values.break in mutations)) {
  refuseArguments(usage, 'There is no such guarantee.');
}
if (values.against !== undefined && values.against !== 'hub') {
  refuseArguments(usage, `There is nothing called ${values.against} to compare with.`);
}
const { isTTY } = process.stderr;
/** Shows a line in the place of the last one, or now and then where there is no terminal. */
const quietLines = 10;
let shown = 0;
const progress = (line: string) => {
  if (isTTY) process.stderr.write(`\r\x1b[K${line}`);
  else if (shown % quietLines === 0) say(line);
  shown += 1;
};

const pollers = Number(values.pollers ?? (values.largest ? 500 : scenario.pollers));
const queueNodes = Number(values.queue ?? scenario.queueNodes?.(pollers) ?? 3);
const extent: LoadOptions['extent'] =
  values.sends === undefined
    ? { seconds: Number(values.seconds ?? (values.largest ? 30 : (scenario.seconds ?? 60))) }
    : { sends: Number(values.sends) };
const options: LoadOptions = {
  scenario,
  pollers,
  pace: Number(values.pace),
  extent,
  warmUpSeconds: Number(values['warm-up'] ?? ('seconds' in extent ? (scenario.warmUpSeconds ?? 0) : 0)),
  nodes: { api: Number(values.api), queue: queueNodes, worker: Number(values.worker) },
  replicas: Number(values.replicas),
  mutation: values.break,
  attacks: chosenAttacks,
  rounds: Number(values.rounds),
  againstHub: values.against === 'hub',
  say,
  progress,
};

if (values.largest) {
  const steps = await findLargest(options, Number(values.within));
  conclude(values.json, concludeLargest(steps, Number(values.within)));
} else {
  const report = await runLoad(options);
  const wrong = anomalies(report);
  if (values.report !== undefined) {
    await writeFile(values.report, await page(report, wrong));
    say(`The report is in ${values.report}.`);
  }
  conclude(values.json, {
    holds: wrong.length === 0,
    result: summarize(report, wrong),
    report: onWire(report, wrong),
    text: `\n${describe(report, wrong)}`,
  });
}
process.exit();

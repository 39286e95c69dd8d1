import { writeFile } from 'node:fs/promises';

import { conclude, readArguments, refuseArguments, sayProgress as say } from '@parley/infra';

import { mutations } from '../chaos/mutations.ts';
import { page } from './report/html.ts';
import { onWire } from './report/on-wire.ts';
import { describe, summarize } from './report/text.ts';
import { anomalies, runLoad } from './run.ts';
import { scenarios } from './scenarios.ts';

const usage = `npm run load -- [--scenario mix] [--pollers N] [--seconds 60 | --sends N] [--pace 1]
                [--api 2] [--queue 3] [--worker 1] [--json] [--report FILE.html] [--break GUARANTEE]

Runs a cluster of real processes on which thousands of clients wait for events and ask for what people ask for, and
prints how long everything took, from the moment for which it was meant. Exits with 1 if a request failed, or if a
client did not hear exactly what the log says.

--pollers  clients that wait at once; each scenario has a number of its own
--pace     how much they ask, in proportion to what the scenario says
--sends    goes on until so many messages are sent, however long that takes
--report   writes a page with tables and plots, which needs nothing besides itself

Scenarios:
${scenarios.map(({ name, about, pollers }) => `  ${name.padEnd(13)} ${about} (${pollers} clients)`).join('\n')}

--break shows that the check can fail: ${Object.keys(mutations).join(', ')}.`;

const { values } = readArguments(usage, {
  scenario: { type: 'string', default: 'mix' },
  pollers: { type: 'string' },
  seconds: { type: 'string', default: '60' },
  sends: { type: 'string' },
  pace: { type: 'string', default: '1' },
  api: { type: 'string', default: '2' },
  queue: { type: 'string', default: '3' },
  worker: { type: 'string', default: '1' },
  report: { type: 'string' },
  break: { type: 'string' },
});
const scenario =
  scenarios.find(({ name }) => name === values.scenario) ??
  refuseArguments(usage, `There is no scenario ${values.scenario}.`);
if (values.break !== undefined && !(values.break in mutations)) {
  refuseArguments(usage, 'There is no such guarantee.');
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

const report = await runLoad({
  scenario,
  pollers: Number(values.pollers ?? scenario.pollers),
  pace: Number(values.pace),
  extent: values.sends === undefined ? { seconds: Number(values.seconds) } : { sends: Number(values.sends) },
  nodes: { api: Number(values.api), queue: Number(values.queue), worker: Number(values.worker) },
  mutation: values.break,
  say,
  progress,
});
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
process.exit();

import { constants } from 'node:os';

import { readArguments, refuseArguments } from '@parley/infra';

import { table } from '../../support/picture.ts';
import type { Stage } from '../area.ts';
import { onStage } from '../stage.ts';
import { measureBusyHour } from './busy-hour.ts';
import { measureScrolling } from './scrolling.ts';
import { setServersPriority } from './servers-priority.ts';
import { measureStart, scriptKibMax } from './start.ts';
import { measureTyping } from './typing.ts';

type Rows = readonly [string, string][];

const figures: Readonly<Record<string, (stage: Stage) => Promise<Rows>>> = {
  scrolling: measureScrolling,
  typing: measureTyping,
  hour: measureBusyHour,
};

const usage = `npm run web:figures -- [FIGURE …] [--json]

Measures in a real Chromium how large, fast and lasting the web client is. The machine decides about all figures but the
size of the script: exits with 1 if the first look needs more than ${scriptKibMax} KiB, and with 2 where there is no Chromium.

Figures: start, which is always measured, ${Object.keys(figures).join(', ')}; all of them unless told`;

const { values, positionals } = readArguments(usage, {}, true);
const named = positionals.filter((name) => name !== 'start');
if (named.some((name) => !Object.hasOwn(figures, name))) refuseArguments(usage, 'There is no such figure.');
await onStage(values.json, async (stageFor) => {
  const stage = stageFor('figures');
  // What slows the page of a slow device keeps a processor busy: servers, which are no part of the device, wait for none.
  const { rows, scriptKib } = await measureStart(stage);
  setServersPriority(stage, constants.priority.PRIORITY_BELOW_NORMAL);
  for (const [name, measure] of Object.entries(figures)) {
    if (positionals.length === 0 || named.includes(name)) rows.push(...(await measure(stage)));
  }
  return {
    holds: scriptKib <= scriptKibMax,
    result: `${scriptKib.toFixed(1)} of at most ${scriptKibMax} KiB of script at the first look.`,
    report: Object.fromEntries(rows),
    text: table(rows),
  };
});

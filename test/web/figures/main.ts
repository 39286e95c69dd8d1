import { readArguments } from '@parley/infra';

import { table } from '../../support/picture.ts';
import { onStage } from '../stage.ts';
import { measureBusyHour } from './busy-hour.ts';
import { measureScrolling } from './scrolling.ts';
import { measureStart, scriptKibMax } from './start.ts';
import { measureTyping } from './typing.ts';

const usage = `npm run web:figures -- [--json]

Measures in a real Chromium how large, fast and lasting the web client is. The machine decides about all figures but the
size of the script: exits with 1 if the first look needs more than ${scriptKibMax} KiB, and with 2 where there is no Chromium.`;

const { values } = readArguments(usage, {});
await onStage(values.json, async (stageFor) => {
  const stage = stageFor('figures');
  const start = await measureStart(stage);
  const scrolling = await measureScrolling(stage);
  const typing = await measureTyping(stage);
  const hour = await measureBusyHour(stage);
  const rows = [...start.rows, ...scrolling, ...typing, ...hour];
  return {
    holds: start.scriptKib <= scriptKibMax,
    result: `${start.scriptKib.toFixed(1)} of at most ${scriptKibMax} KiB of script at the first look.`,
    report: Object.fromEntries(rows),
    text: table(rows),
  };
});

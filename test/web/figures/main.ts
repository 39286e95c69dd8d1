import { readArguments, refuseArguments } from '@parley/infra';

import { launchBrowser } from '../../support/chromium.ts';
import { table } from '../../support/picture.ts';
import { type Stage, openAs } from '../area.ts';
import { onStage } from '../stage.ts';
import { measureBusyHour } from './busy-hour.ts';
import { measureScrolling } from './scrolling.ts';
import { measureStart, scriptKibMax } from './start.ts';
import { measureTyping, unpacedDisplay } from './typing.ts';

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
const asked = Object.keys(figures).filter((name) => positionals.length === 0 || named.includes(name));
// Before the servers, as the stage's own: they are of low priority.
const unpaced = asked.includes('typing') ? await launchBrowser(...unpacedDisplay) : null;

/** The stage on which a figure is measured. */
function stageOf(figure: string, stage: Stage): Stage {
  if (figure !== 'typing' || unpaced === null) return stage;
  const other: Stage = {
    ...stage,
    browser: unpaced,
    open: (person, options) => openAs(other, person, options),
  };
  return other;
}

const work = async (stageFor: (name: string) => Stage) => {
  const stage = stageFor('figures');
  const { rows, scriptKib } = await measureStart(stage);
  for (const name of asked) rows.push(...((await figures[name]?.(stageOf(name, stage))) ?? []));
  await unpaced?.close();
  return {
    holds: scriptKib <= scriptKibMax,
    result: `${scriptKib.toFixed(1)} of at most ${scriptKibMax} KiB of script at the first look.`,
    report: Object.fromEntries(rows),
    text: table(rows),
  };
};
await onStage(values.json, work, { isBrowserFirst: true });

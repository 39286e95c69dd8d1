import { once } from 'node:events';

import { type Conclusion, readArguments, refuseArguments, sayProgress } from '@parley/infra';

import { accessible } from './accessible.ts';
import { administration } from './administration.ts';
import type { Area, Stage } from './area.ts';
import { around } from './around.ts';
import { browse } from './browse.ts';
import { columns } from './columns.ts';
import { composeBox } from './compose-box.ts';
import { ended } from './ended.ts';
import { hostile } from './hostile.ts';
import { imports } from './imports.ts';
import { installed } from './installed/area.ts';
import { keys } from './keys.ts';
import { languages } from './languages.ts';
import { layout } from './layout.ts';
import { lightbox } from './lightbox.ts';
import { many } from './many.ts';
import { newcomers } from './newcomers.ts';
import { nodes } from './nodes.ts';
import { places } from './places.ts';
import { read } from './read.ts';
import { reading } from './reading.ts';
import { shell } from './shell.ts';
import { sidebarMenus } from './sidebar.ts';
import { spectators } from './spectators.ts';
import { onStage } from './stage.ts';
import { talk } from './talk.ts';
import { texts } from './texts.ts';
import { tour } from './tour.ts';
import { unsent } from './unsent.ts';
import { write } from './write.ts';

/** Every area of the client. Hostile content comes last: it gives people and the organization names that no other area knows. */
const areas: readonly Area[] = [
  tour,
  shell,
  talk,
  write,
  composeBox,
  unsent,
  layout,
  keys,
  columns,
  sidebarMenus,
  browse,
  read,
  reading,
  lightbox,
  texts,
  places,
  ended,
  many,
  around,
  administration,
  newcomers,
  imports,
  spectators,
  installed,
  languages,
  accessible,
  nodes,
  hostile,
];

const usage = `npm run web:check -- [AREA …] [--json]

Goes through the web client of a demo cluster in a real Chromium, area by area. Exits with 1 if anything is missing, an
error appears in the console, or axe finds a serious fault, and with 2 where there is no Chromium.

Areas: ${areas.map(({ name }) => name).join(', ')}`;

/** Longer than any area takes beside other work. */
const areaMinutesMax = 20;

/** Fails where an area does not come to an end: not everything that a browser is asked for has a limit of its own. */
async function within(minutes: number, checked: Promise<void>): Promise<void> {
  const late = once(AbortSignal.timeout(minutes * 60_000), 'abort').then(() => {
    throw new Error(`It has not ended after ${minutes} minutes.`);
  });
  await Promise.race([checked, late]);
}

async function checkAll(stageFor: (name: string) => Stage, checked: readonly Area[]): Promise<Conclusion> {
  const failed: string[] = [];
  for (const { name, check } of checked) {
    const stage = stageFor(name);
    try {
      await within(areaMinutesMax, check(stage));
    } catch (error) {
      failed.push(name);
      await Promise.all(stage.browser.contexts().map(async (context) => await context.close()));
      sayProgress(
        `${name} FAILED: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
  }
  return {
    holds: failed.length === 0,
    result: `${checked.length - failed.length} of ${checked.length} areas of the web client do what they should${failed.map((name) => `, NOT ${name}`).join('')}.`,
    report: { failed },
  };
}

const { values, positionals } = readArguments(usage, {}, true);
const chosen = positionals.length > 0 ? areas.filter(({ name }) => positionals.includes(name)) : areas;
if (chosen.length < positionals.length) refuseArguments(usage, 'There is no such area.');
await onStage(values.json, (stageFor) => checkAll(stageFor, chosen));

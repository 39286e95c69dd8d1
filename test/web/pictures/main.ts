import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { cannotRun, conclude, readArguments, refuseArguments } from '@parley/infra';

import { AcceptedPictures } from '../../pictures/accepted.ts';
import { findReport, readShown } from '../../pictures/report.ts';
import { launchBrowser } from '../../support/chromium.ts';
import { onStage } from '../stage.ts';
import { type BreakName, breaks } from './breaks.ts';
import { compareViews, namesOf } from './compare-views.ts';
import { makeDocs } from './docs.ts';
import { arrange, now } from './organization.ts';
import { Studio, widths } from './photograph.ts';
import { findRendering } from './rendering.ts';
import { views } from './views.ts';

const defaultFolder = join(tmpdir(), 'parley-pictures');
const defaultAccepted = new URL('../../../../test/web/pictures/accepted', import.meta.url).pathname;

const usage = `npm run web:pictures -- [VIEW …] [--break CHANGE] [--folder FOLDER] [--accepted FOLDER] [--anew] [--json]
npm run web:pictures -- --accept [VIEW …] --because REASON [--folder FOLDER] [--accepted FOLDER] [--json]
npm run web:pictures -- --docs [--json]

Photographs ${views.length} views of the web client over the observatory, light and dark, as wide as ${Object.keys(widths).join(', ')}, and
compares each picture with the one that was accepted last. Exits with 1 if one differs, is missing, or could not be
taken, and with 2 where there is no Chromium, or one that draws otherwise than the one of the accepted pictures. What
differs is shown side by side in FOLDER/report.html, by default ${defaultFolder}/report.html.

  --view      one of the views to photograph, as VIEW
  --accept    accepts what the last report shows, of these views or of all, for a reason that is kept
  --accepted  where accepted pictures are kept; by default, in the repository
  --anew      photographs with a Chromium that draws otherwise, so that all of it can be looked at and accepted
  --break     changes the client on purpose, to see that the comparison fails
  --docs      makes the pictures of docs/pictures instead

Changes:
${Object.entries(breaks)
  .map(([name, { does }]) => `  ${name.padEnd(10)}  ${does}`)
  .join('\n')}

Views: ${views.map(({ name }) => name).join(', ')}`;

const { values, positionals } = readArguments(
  usage,
  {
    view: { type: 'string', multiple: true, default: [] },
    accept: { type: 'boolean', default: false },
    because: { type: 'string', default: '' },
    accepted: { type: 'string', default: defaultAccepted },
    folder: { type: 'string', default: defaultFolder },
    anew: { type: 'boolean', default: false },
    break: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
  true,
);
const named = [...positionals, ...values.view];
const chosen = named.length > 0 ? views.filter(({ name }) => named.includes(name)) : views;
if (named.some((name) => !views.some((view) => view.name === name)))
  refuseArguments(usage, 'There is no such view.');
if (values.break !== undefined && !(values.break in breaks))
  refuseArguments(usage, 'There is no such change.');
const breaking = (values.break as BreakName | undefined) ?? null;
const folder = resolve(values.folder);

const accepted = await AcceptedPictures.open(resolve(values.accepted));

/** Accepts what the last report shows: that, and nothing else, has been looked at. */
async function accept(because: string): Promise<void> {
  if (because === '') refuseArguments(usage, '--accept needs a reason: --because "…".');
  const report = await findReport(folder);
  if (!report) return refuseArguments(usage, `There is no report in ${folder} yet.`);
  if (report.broken !== null)
    refuseArguments(usage, `The last report shows a client that was broken on purpose: ${report.broken}.`);
  const wanted = chosen.flatMap(namesOf);
  const names = report.differing.map(({ name }) => name).filter((name) => wanted.includes(name));
  const isWhole = named.length === 0 && report.compared === views.flatMap(namesOf).length;
  if (accepted.rendering && !accepted.isOf(report.rendering) && !isWhole)
    refuseArguments(usage, 'What another Chromium has drawn is accepted as a whole: --anew, without VIEW.');
  const gone = named.length === 0 ? report.gone : [];
  const { rendering } = report;
  await accepted.accept(names, (name) => readShown(folder, name), {
    rendering,
    because,
    on: new Date(),
    gone,
  });
  conclude(values.json, {
    holds: true,
    result: `${names.length} pictures are accepted, and ${gone.length} forgotten.`,
    report: { accepted: names, gone },
  });
}

/** Says why pictures of this machine say nothing about the accepted ones; null where they do. */
async function findObstacle(): Promise<string | null> {
  if (!accepted.rendering || values.anew || values.docs) return null;
  const browser = await launchBrowser();
  // Without a browser, the stage says so.
  if (!browser) return null;
  try {
    const rendering = await findRendering(browser);
    if (accepted.isOf(rendering)) return null;
    const { chromium, platform } = accepted.rendering;
    return `The accepted pictures were made with Chromium ${chromium} on ${platform}; Chromium ${rendering.chromium} on ${rendering.platform} draws otherwise here, so nothing was compared.`;
  } finally {
    await browser.close();
  }
}

async function run(): Promise<never> {
  return await onStage(
    values.json,
    async (stageFor) => {
      const stage = stageFor('pictures');
      const places = await arrange(stage);
      const studio = new Studio(stage, breaking);
      if (values.docs)
        return { holds: true, result: `${await makeDocs(studio, places)} pictures are in docs/pictures.` };
      return await compareViews(chosen, { studio, places, accepted, folder });
    },
    { observatoryAt: now },
  );
}

if (values.accept) await accept(values.because.trim());
else {
  const obstacle = await findObstacle();
  if (obstacle === null) await run();
  else cannotRun(values.json, obstacle);
}
process.exit();

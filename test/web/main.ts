import type { Browser } from 'playwright-core';

import { startDemoCluster } from '../support/demo-cluster.ts';
import { accessible } from './accessible.ts';
import { administration } from './administration.ts';
import { type Area, type Stage, openAs } from './area.ts';
import { around } from './around.ts';
import { launchBrowser } from './browser.ts';
import { hostile } from './hostile.ts';
import { many } from './many.ts';
import { nodes } from './nodes.ts';
import { read } from './read.ts';
import { shell } from './shell.ts';
import { spectators } from './spectators.ts';
import { talk } from './talk.ts';
import { write } from './write.ts';

/**
 * Every area of the client. One run can be of some of them: `npm run web:check -- shell talk`. Hostile content comes
 * last: it gives people and the organization names that no other area knows.
 */
const areas: readonly Area[] = [
  shell,
  talk,
  write,
  read,
  many,
  around,
  administration,
  spectators,
  accessible,
  nodes,
  hostile,
];

/** A browser here is somebody who does in minutes what others do in days. */
const manyRequests = { RATE_LIMIT_BY_USER: '60:100000', RATE_LIMIT_BY_ADDRESS: '60:100000' };

const say = (line: string) => process.stdout.write(`${line}\n`);

async function checkAll(browser: Browser, wanted: readonly string[]): Promise<number> {
  await using demos = await startDemoCluster(manyRequests);
  let failures = 0;
  for (const { name, check } of areas) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const stage: Stage = {
      demos,
      browser,
      address: demos.cluster.baseUrl,
      open: (person, options) => openAs(stage, person, options),
      saw: (what) => say(`${name}: ${what}`),
    };
    try {
      await check(stage);
    } catch (error) {
      failures += 1;
      await Promise.all(browser.contexts().map(async (context) => await context.close()));
      say(`${name} FAILED: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
  return failures;
}

const browser = await launchBrowser();
if (!browser) {
  say('The web client was not tried: there is no Chromium.');
  process.exit(2);
}
const failures = await checkAll(browser, process.argv.slice(2));
await browser.close();
say(failures === 0 ? 'The web client does what it should.' : `${failures} of its areas failed.`);
process.exit(failures === 0 ? 0 : 1);

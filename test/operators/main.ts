import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { cannotRun, conclude, readArguments, sayProgress as say } from '@parley/infra';
import type { Browser } from 'playwright-core';

import { launchBrowser } from '../support/chromium.ts';
import { type DemoCluster, startDemoCluster } from '../support/demo-cluster.ts';

const usage = `npm run operators -- [PICTURE.png] [--json]

Signs in at the operators' page of a cluster in a real Chromium, and watches polls park and a node end. Keeps a picture
in the file. Exits with 1 if the page does not show what happened, and with 2 where there is no Chromium.`;

/** A token for the page, by the command that operators use. */
async function tokenOf({ cluster }: DemoCluster): Promise<string> {
  const program = new URL('../../../services/cli/bin/parley.js', import.meta.url).pathname;
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: cluster.postgres.url,
    REDIS_URL: cluster.redis.url,
    PARLEY_SECRET: cluster.secret,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'operator', 'token'], { env });
  return stdout.trim();
}

/** Parks a poll of Alice's. It ends when the cluster does. */
async function park({ cluster, demo }: DemoCluster): Promise<void> {
  const { email, api_key } = demo('Alice Member');
  const headers = { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` };
  const body = new URLSearchParams({ event_types: '["message"]', fetch_event_types: '[]' });
  const register = await fetch(`${cluster.baseUrl}/api/v1/register`, { method: 'POST', headers, body });
  const { queue_id, last_event_id } = (await register.json()) as { queue_id: string; last_event_id: number };
  const query = new URLSearchParams({ queue_id, last_event_id: `${last_event_id}` });
  fetch(`${cluster.baseUrl}/api/v1/events?${query.toString()}`, { headers }).catch(() => undefined);
}

async function look(browser: Browser, demos: DemoCluster): Promise<string[]> {
  const worker = demos.cluster.nodes.find(({ role }) => role === 'worker');
  const address = new URL('/operators', worker?.metricsUrl).href;
  const page = await browser.newPage({ viewport: { width: 1200, height: 1400 } });
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  const isExpected = (text: string) => text.includes('401');
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && !isExpected(line.text())) problems.push(line.text());
  });

  await page.goto(address);
  await page.getByLabel('Token').fill(await tokenOf(demos));
  await page.getByRole('button', { name: 'Sign in' }).click();
  const rows = page.locator('#nodes tr:has(td)');
  await rows.nth(4).waitFor();
  say(`signed in; nodes: ${(await rows.locator('td:first-child').allTextContents()).join(', ')}`);
  await park(demos);
  await page.getByText(/\b1 parked polls/).waitFor();
  say('a poll that waits is counted within seconds');
  await page.locator('#log tr:has(td)').first().waitFor();
  await page.getByRole('cell', { name: 'recurring' }).waitFor();
  await page.getByText('webhook dead letters').waitFor();
  say('log, jobs and due work are shown');
  const node = demos.cluster.nodes.find(({ role }) => role === 'queue');
  if (node) await demos.cluster.drain(node);
  await rows.nth(4).waitFor({ state: 'detached' });
  say('a node that has ended is gone from it');
  const [cookie] = await page.context().cookies();
  if (!cookie?.httpOnly) problems.push('a script can read the cookie');
  const [picture] = positionals;
  if (picture !== undefined) await page.screenshot({ path: picture });
  return problems;
}

const { values, positionals } = readArguments(usage, {}, true);
const browser = await launchBrowser();
if (browser) {
  const problems = await tryPage(browser);
  conclude(values.json, {
    holds: problems.length === 0,
    result: problems.join('; ') || 'The operators’ page shows polls that park and nodes that end.',
  });
} else cannotRun(values.json, 'There is no Chromium here, so the operators’ page was not tried.');
process.exit();

async function tryPage(browser: Browser): Promise<string[]> {
  await using demos = await startDemoCluster();
  try {
    return await look(browser, demos);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    await browser.close();
  }
}

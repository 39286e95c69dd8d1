import { spawnSync } from 'node:child_process';

import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';

import { realm, startOneAddress, withProcesses } from '../support/index.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome'];
const browserPath = names
  .map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim())
  .find((path) => path !== '');
const skip = browserPath === undefined;
if (skip) process.stderr.write('There is no Chromium: nobody looks at the reference page.\n');

test(
  'a browser shows the reference, logs in and tries an operation',
  { ...withProcesses, skip },
  async () => {
    const { realm: home, alice } = await realm();
    await using site = await startOneAddress(home.host);
    const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];
    const browser = await chromium.launch({ executablePath: String(browserPath), args });
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(120_000);
      const problems: string[] = [];
      const asked: string[] = [];
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
      page.on('request', (request) => asked.push(new URL(request.url()).origin));

      await page.goto(`${site.url}/api/docs`);
      await page
        .getByRole('button', { name: /authorize/i })
        .first()
        .click();
      await page.getByLabel(/username/i).fill(alice.email);
      await page.getByLabel(/password/i).fill(alice.apiKey);
      await page
        .getByRole('button', { name: /apply credentials/i })
        .first()
        .click();
      await page.getByRole('button', { name: /close/i }).first().click();

      await page.locator('.opblock-tag[data-tag="users"]').click();
      const operation = page.locator('#operations-users-get_users_me');
      await operation.locator('.opblock-summary').click();
      await operation.getByRole('button', { name: /try it out/i }).click();
      await operation.getByRole('button', { name: /execute/i }).click();
      const answer = operation.locator('.live-responses-table tbody td.response-col_description');
      await answer.first().waitFor();
      expect(await answer.first().textContent()).toContain(`"user_id": ${alice.id}`);

      expect(problems).toEqual([]);
      expect(asked.filter((origin) => origin !== site.url && origin !== 'null')).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);

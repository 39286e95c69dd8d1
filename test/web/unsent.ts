import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { type Area, type Stage, assertSound, said } from './area.ts';
import { askAs, channelId } from './as-user.ts';

const field = (page: Page) => page.getByLabel('Message', { exact: true });

/** What is not sent yet: a message that waits for the network. */
export const unsent: Area = {
  name: 'unsent',
  async check(stage) {
    await outlivesAnOutage(stage);
  },
};

async function outlivesAnOutage(stage: Stage): Promise<void> {
  await using carol = await stage.open('Carol Member');
  const { page } = carol;
  await page.clock.install();
  const general = await channelId(askAs(stage, 'Carol Member'), 'general');
  await page.goto(`${stage.address}/?again#narrow/channel/${general}-general/topic/outage`);
  await field(page).fill('Written in a tunnel.');
  await page.context().setOffline(true);
  await field(page).press('Control+Enter');
  // Every try fails at once, and the clock leads to the next one.
  while (!(await page.getByText(/^Not sent/).isVisible())) {
    await page.clock.fastForward(60_000);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await assertSound(carol, 'a message that could not be sent');
  await page.context().setOffline(false);
  await page.locator('article[id^=message-]', { hasText: 'Written in a tunnel.' }).waitFor();
  assert.equal(await said(page, 'Written in a tunnel.').count(), 1);
  stage.saw('a message that found no network for long goes out when there is one again');
}

import assert from 'node:assert/strict';

import type { Locator, Page } from 'playwright-core';

import { type Area, type Stage, assertSound, inSidebar, said } from './area.ts';
import { askAs, channelId, say } from './as-user.ts';
import { show } from './settle.ts';

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const field = (page: Page) => page.getByLabel('Message', { exact: true });

async function boxOf(element: Locator): Promise<Box> {
  const box = await element.boundingBox();
  assert.ok(box, 'it is on the page');
  return box;
}

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** How far two boxes are apart, in pixels. */
const distance = (a: Box, b: Box) =>
  Math.hypot(
    Math.max(0, a.x - b.x - b.width, b.x - a.x - a.width),
    Math.max(0, a.y - b.y - b.height, b.y - a.y - a.height),
  );

/** Where things are: what one writes in stands at the bottom, what opens is beside what opened it, nothing covers Send. */
export const layout: Area = {
  name: 'layout',
  async check(stage) {
    await endsWithTheBox(stage);
    await leavesSendFree(stage);
    await opensBeside(stage);
    await leavesRoomToSearch(stage);
  },
};

async function endsWithTheBox(stage: Stage): Promise<void> {
  await using carol = await stage.open('Carol Member');
  const { page } = carol;
  for (const view of ['inbox', 'about', 'drafts', 'recent', 'narrow/is/starred']) {
    await show(page, view);
    const { y, height } = await boxOf(page.locator('.compose'));
    assert.equal(Math.round(y + height), 800, view);
  }
  stage.saw('what one writes in stands at the bottom of every view, however short');
  await show(page, 'settings');
  assert.equal(await page.locator('.compose').count(), 0);
  stage.saw('nothing is written to anybody beside settings');
}

async function leavesSendFree(stage: Stage): Promise<void> {
  const carol = askAs(stage, 'Carol Member');
  await using watched = await stage.open('Carol Member');
  const { page } = watched;
  try {
    await inSidebar(page, '#general').click();
    await page.getByLabel('Topic in general').fill('commands');
    await field(page).fill('/dark');
    await field(page).press('Control+Enter');
    const toast = page.locator('.toast');
    await toast.getByText('The dark theme is on.').waitFor();
    await page.locator('html[data-theme="dark"]').waitFor();
    assert.equal((await toast.innerText()).includes('`'), false);
    assert.equal(await toast.locator('code').innerText(), '/light');
    await field(page).fill('Something to send.');
    const send = page.getByRole('button', { name: 'Send', exact: true });
    assert.equal(overlap(await boxOf(toast), await boxOf(send)), false);
    await send.click({ trial: true });
    await page.setViewportSize({ width: 390, height: 844 });
    assert.equal(overlap(await boxOf(toast), await boxOf(send)), false);
    await assertSound(watched, 'a toast');
    await field(page).fill('');
  } finally {
    await carol.patch('/settings', { color_scheme: 1 });
  }
  stage.saw('what the page reports for a moment covers no button of the box, and its code is code');
}

async function opensBeside(stage: Stage): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  const general = await channelId(bob, 'general');
  await say(bob, 'general', 'beside', 'React to this.');
  await using carol = await stage.open('Carol Member');
  const { page } = carol;
  await show(page, `narrow/channel/${general}-general/topic/beside`);
  const message = said(page, 'React to this.');
  await message.hover();
  const button = message.getByRole('button', { name: 'React' });
  const before = await boxOf(button);
  await button.click();
  const picker = page.getByRole('dialog', { name: 'Emoji' });
  const search = page.getByLabel('Search emoji');
  await search.waitFor();
  const hasFocus = () => document.activeElement?.getAttribute('aria-label') === 'Search emoji';
  await page.waitForFunction(hasFocus);
  await picker.getByRole('button', { name: 'tada', exact: true }).waitFor();
  assert.ok(distance(await boxOf(picker), before) < 12, 'the picker is beside its button');
  const { x, y, width, height } = await boxOf(picker);
  assert.ok(x >= 0 && y >= 0 && x + width <= 1280 && y + height <= 800, 'all of it is on the page');
  await assertSound(carol, 'the emoji picker');
  await page.keyboard.press('Escape');
  await picker.waitFor({ state: 'hidden' });
  await message.focus();
  await page.keyboard.press(':');
  await page.waitForFunction(hasFocus);
  assert.ok(distance(await boxOf(picker), await boxOf(message)) < 12, 'the picker is beside its message');
  await page.keyboard.type('rocket');
  await page.keyboard.press('Enter');
  await message.getByRole('button', { name: 'rocket: You' }).waitFor();
  await picker.waitFor({ state: 'hidden' });
  await page.getByRole('toolbar').getByRole('button', { name: 'Emoji' }).click();
  await page.waitForFunction(hasFocus);
  await page.keyboard.type('tada');
  await page.keyboard.press('Enter');
  assert.equal(await field(page).inputValue(), ':tada: ');
  await field(page).fill('');
  stage.saw('the emoji picker opens beside what asked for it, and one types at once');
}

async function leavesRoomToSearch(stage: Stage): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  const general = await channelId(bob, 'general');
  const topic = 'a topic with a name that is about as long as names can be';
  await say(bob, 'general', topic, 'Here.');
  for (const width of [1280, 390]) {
    await using carol = await stage.open('Carol Member', { viewport: { width, height: 800 } });
    const { page } = carol;
    await show(page, `narrow/channel/${general}-general/topic/${topic.replaceAll(' ', '.20')}`);
    const input = page.getByRole('combobox', { name: 'Search' });
    assert.equal(await page.locator('.chip').filter({ visible: true }).count(), 0);
    await page.keyboard.press('/');
    await page.locator('.chip').nth(1).waitFor();
    const box = await boxOf(page.locator('.search-box'));
    const { x, width: room } = await boxOf(input);
    assert.ok(room >= 100, `${room} pixels to type in, of ${width}`);
    assert.ok(x >= box.x && x + room <= box.x + box.width + 1, 'all of the field is in view');
    for (const chip of await page.locator('.chip').all()) {
      const { x: left, width: chipWidth } = await boxOf(chip.getByRole('button'));
      assert.ok(left >= box.x && left + chipWidth <= box.x + box.width, 'its button is in view');
      const isCut = await chip.evaluate((one) => one.scrollWidth > one.clientWidth + 1);
      assert.equal(isCut, false, 'a chip is whole, or ends with an ellipsis');
    }
    await page.keyboard.type('here');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Search' }).waitFor();
    await page.locator('.chip').filter({ hasText: 'here' }).waitFor();
    await assertSound(carol, `a search at ${width} pixels`);
  }
  stage.saw('the search field leaves room to type, and does not repeat the conversation that is shown');
}

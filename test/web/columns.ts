import assert from 'node:assert/strict';

import type { Locator, Page } from 'playwright-core';

import { type Area, type Stage, assertSound, inSidebar, said, withPeople } from './area.ts';
import { askAs, channelId, say } from './as-user.ts';
import { show } from './settle.ts';

const field = (page: Page) => page.getByLabel('Message', { exact: true });
const people = (page: Page) => page.getByRole('complementary', { name: 'People' });
const heightOf = (element: Locator) => element.evaluate((one) => one.getBoundingClientRect().height);
const widthOf = (element: Locator) => element.evaluate((one) => one.getBoundingClientRect().width);

/** The columns and the box below them: how wide and how high they are, and what they remember. */
export const columns: Area = {
  name: 'columns',
  async check(stage) {
    await resizes(stage);
    await showsPeople(stage);
    await folds(stage);
    await opensProfiles(stage);
  },
};

async function resizes(stage: Stage): Promise<void> {
  await using carol = await stage.open('Carol Member');
  const { page } = carol;
  const sidebar = page.getByRole('navigation', { name: 'Conversations' });
  const edge = page.getByRole('separator', { name: 'Width of the sidebar' });
  const isWide = (pixels: number) =>
    page.waitForFunction(
      (wanted) => document.getElementById('sidebar')?.getBoundingClientRect().width === wanted,
      pixels,
    );
  const before = await widthOf(sidebar);
  await edge.focus();
  await page.keyboard.press('ArrowRight');
  await isWide(before + 16);
  const { x, y } = (await edge.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(x + 4, y + 300);
  await page.mouse.down();
  await page.mouse.move(340, y + 300);
  await page.mouse.up();
  await isWide(340);
  await page.reload();
  await inSidebar(page, '#general').waitFor();
  await isWide(340);
  await edge.dblclick();
  await isWide(before);
  await assertSound(carol, 'a sidebar of another width');
  stage.saw('the sidebar is as wide as its edge was moved by keys or the mouse, also after a reload');
}

async function showsPeople(stage: Stage): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  const general = await channelId(bob, 'general');
  await say(bob, 'general', 'columns', 'I take part.');
  await using narrow = await stage.open('Alice Member');
  const { page } = narrow;
  assert.equal(await people(page).count(), 0);
  await page.getByRole('button', { name: 'People' }).click();
  await people(page).waitFor();
  await page.keyboard.press('Escape');
  await people(page).waitFor({ state: 'detached' });
  await page.keyboard.press('w');
  await page.keyboard.type('bob');
  assert.equal(await page.getByLabel('Search people').inputValue(), 'bob');
  await assertSound(narrow, 'the drawer of people');
  stage.saw('people are a drawer where there is no room, and one types at once what is searched');

  await using wide = await stage.open('Alice Member', withPeople);
  await show(wide.page, `narrow/channel/${general}-general/topic/columns`);
  await said(wide.page, 'I take part.').waitFor();
  const lines = people(wide.page).getByRole('listitem');
  await lines.filter({ hasText: 'In this conversation' }).waitFor();
  const [title = '', first = ''] = await lines.allInnerTexts();
  assert.match(title, /In this conversation/);
  assert.match(first, /Bob Member/);
  await wide.page.getByRole('button', { name: 'People' }).click();
  await people(wide.page).waitFor({ state: 'detached' });
  await wide.page.reload();
  await said(wide.page, 'I take part.').waitFor();
  assert.equal(await people(wide.page).count(), 0);
  await wide.page.getByRole('button', { name: 'People' }).click();
  await people(wide.page).waitFor();
  await assertSound(wide, 'the column of people');
  stage.saw('whoever takes part is listed first, and a column that was closed stays closed');
}

async function folds(stage: Stage): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  const general = await channelId(bob, 'general');
  const topic = `narrow/channel/${general}-general/topic/columns`;
  await using carol = await stage.open('Carol Member');
  const { page } = carol;
  await show(page, topic);
  const card = page.locator('.compose-card');
  await card.waitFor();
  assert.ok((await heightOf(card)) <= 46, 'a box in which nobody writes is one line');
  await assertSound(carol, 'a box of one line');
  await field(page).click();
  await page.getByLabel('Topic in general').waitFor();
  await page.getByRole('button', { name: 'Formatting' }).click();
  await field(page).fill('strong');
  await field(page).selectText();
  await page.getByRole('button', { name: 'Bold' }).click();
  assert.equal(await field(page).inputValue(), '**strong**');
  await assertSound(carol, 'formatting');
  await page.getByRole('button', { name: 'Formatting' }).click();
  await field(page).fill('');
  await said(page, 'I take part.').click();
  assert.ok((await heightOf(card)) > 46, 'nothing moves below the pointer');
  await field(page).press('Escape');
  await page.waitForFunction(() => (document.querySelector('.compose-card')?.clientHeight ?? 99) <= 46);
  stage.saw('the box is one line until somebody writes, and again after Escape');

  await using phone = await stage.open('Carol Member', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  });
  await show(phone.page, topic);
  await field(phone.page).click();
  await phone.page.getByRole('button', { name: 'Formatting' }).waitFor();
  assert.ok((await heightOf(phone.page.locator('.compose-card'))) <= 96);
  await assertSound(phone, 'a box on a phone');
  stage.saw('on a phone the box takes 96 pixels at most');
}

async function opensProfiles(stage: Stage): Promise<void> {
  const general = await channelId(askAs(stage, 'Bob Member'), 'general');
  await using carol = await stage.open('Carol Member');
  const { page } = carol;
  await show(page, `narrow/channel/${general}-general/topic/columns`);
  const name = said(page, 'I take part.').getByRole('button', { name: 'Bob Member' });
  await name.click();
  const card = page.getByRole('dialog', { name: 'Bob Member' });
  const [from, to] = [await name.boundingBox(), await card.boundingBox()];
  assert.ok(from && to && Math.abs(to.x - from.x) < 12 && to.y - from.y - from.height < 12);
  await assertSound(carol, 'a profile beside a name');
  await page.mouse.click(900, 60);
  await card.waitFor({ state: 'detached' });
  stage.saw('a profile opens beside the name that was pressed, and goes with a press elsewhere');
}

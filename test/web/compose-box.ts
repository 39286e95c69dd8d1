import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { type Area, type Stage, assertSound, said } from './area.ts';
import { askAs, channelId, say } from './as-user.ts';
import { show } from './settle.ts';

const field = (page: Page) => page.getByLabel('Message', { exact: true });
const heightOf = (page: Page) =>
  page.locator('form.compose').evaluate((form) => form.getBoundingClientRect().height);

/** The box as large as somebody wants it, and the key that sends. */
export const composeBox: Area = {
  name: 'compose-box',
  async check(stage) {
    await using alice = await stage.open('Alice Member');
    const { page } = alice;
    const bob = askAs(stage, 'Bob Member');
    const general = await channelId(bob, 'general');
    await say(bob, 'general', 'at length', 'What do you think?');
    await show(page, `narrow/channel/${general}-general/topic/at.20length`);
    await checkSize(stage, page);
    await assertSound(alice, 'the expanded box');
    await checkKey(stage, page);
    await checkPeople(stage, page);
    await checkReadTo(stage, page, general);
    await assertSound(alice, 'the box');
  },
};

/** Adam comes before Bob by name, and Bob has written last. */
async function checkPeople(stage: Stage, page: Page): Promise<void> {
  await field(page).fill('@');
  await page.getByRole('option').nth(2).waitFor();
  const [first] = await page.getByRole('option').allInnerTexts();
  assert.match(first ?? '', /Bob Member/);
  await field(page).press('Escape');
  await field(page).fill('');
  stage.saw('whoever takes part in the conversation is suggested first');
}

async function checkSize(stage: Stage, page: Page): Promise<void> {
  await field(page).fill('A long answer');
  const before = await heightOf(page);
  await page.getByRole('button', { name: 'Expand', exact: true }).click();
  const main = await page.getByRole('main').evaluate((element) => element.getBoundingClientRect().height);
  const expanded = await heightOf(page);
  assert.ok(expanded > main * 0.75 && expanded > before * 2, `${before}, then ${expanded} of ${main}`);
  const text = await field(page).evaluate((area) => area.getBoundingClientRect().height);
  assert.ok(text > expanded * 0.6, `the field has ${text} of ${expanded}`);
  await said(page, 'What do you think?').waitFor();
  await page.getByRole('button', { name: 'Shrink', exact: true }).click();
  assert.equal(await heightOf(page), before);
  stage.saw('the box takes most of the page if one wants it, and shrinks again');
}

async function checkKey(stage: Stage, page: Page): Promise<void> {
  const choose = async (way: string) => {
    const saved = page.waitForResponse((response) => response.url().endsWith('/json/settings'));
    await page.getByRole('button', { name: 'How to send' }).click();
    await page.getByRole('menuitemradio', { name: way, exact: true }).click();
    await saved;
    await page.locator(`button[title="${way}"]`).waitFor();
  };
  await choose('Press Enter to send');
  await field(page).fill('Sent by Enter');
  await field(page).press('Enter');
  await said(page, 'Sent by Enter').waitFor();
  await choose('Press Ctrl+Enter to send');
  await field(page).fill('First line');
  await field(page).press('Enter');
  assert.equal(await field(page).inputValue(), 'First line\n');
  await field(page).press('Control+Enter');
  await said(page, 'First line').waitFor();
  stage.saw('whether Enter sends is chosen beside the button that does');
}

async function checkReadTo(stage: Stage, page: Page, channel: number): Promise<void> {
  const [alice, bob] = [askAs(stage, 'Alice Member'), askAs(stage, 'Bob Member')];
  await show(page, 'drafts');
  await alice.patch('/settings', { web_mark_read_on_scroll_policy: 3 });
  // A page that has not heard of the setting marks what is in view as read.
  const heard = page.waitForResponse(
    async (response) =>
      response.url().includes('/json/events') && (await response.text()).includes('Three to read'),
  );
  for (const text of ['One to read', 'Two to read', 'Three to read'])
    await say(bob, 'general', 'marks', text);
  await heard;
  await show(page, `narrow/channel/${channel}-general/topic/marks`);
  const isUnread = (text: string) => page.locator('article.unread').filter({ hasText: text });
  await isUnread('One to read').waitFor();
  await said(page, 'Two to read').focus();
  await page.keyboard.press('i');
  await page.getByRole('menuitem', { name: 'Mark as read up to here' }).click();
  await isUnread('One to read').waitFor({ state: 'detached' });
  await isUnread('Two to read').waitFor({ state: 'detached' });
  await isUnread('Three to read').waitFor();
  await alice.patch('/settings', { web_mark_read_on_scroll_policy: 1 });
  await alice.post('/mark_all_as_read');
  stage.saw('what came before a message is marked as read with it, and nothing after it');
}

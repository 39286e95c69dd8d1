import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { type Area, type Stage, assertSound, inSidebar } from './area.ts';
import { askAs, channelId, say, tell } from './as-user.ts';
import { show } from './settle.ts';

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Conversations' });
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
const row = (page: Page, name: string) => sidebar(page).locator('.sidebar-row').filter({ hasText: name });

/** What somebody has set for a channel. */
async function subscriptionOf(stage: Stage, name: string, channel: string) {
  type Reply = { subscriptions: { name: string; color: string; is_muted: boolean; pin_to_top: boolean }[] };
  const { subscriptions } = await askAs(stage, name).get<Reply>('/users/me/subscriptions');
  return subscriptions.find((one) => one.name === channel);
}

/** The menus of the sidebar's rows: by a button, by the second button of the mouse, and by keys alone. */
export const sidebarMenus: Area = {
  name: 'sidebar',
  async check(stage) {
    await using alice = await stage.open('Alice Member');
    const { page } = alice;
    await askAs(stage, 'Alice Member').post('/mark_all_as_read');
    await checkChannel(stage, page);
    await assertSound(alice, 'a menu of the sidebar');
    await checkKeys(stage, page);
    await checkTopic(stage, page);
    await checkDirect(stage, page);
    await assertSound(alice, 'the sidebar');
  },
};

async function openChannelMenu(page: Page, name: string): Promise<void> {
  await inSidebar(page, `#${name}`).hover();
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
}

async function checkChannel(stage: Stage, page: Page): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  await say(bob, 'general', 'menus', 'To be read at once.');
  await inSidebar(page, '#general 1 unread').waitFor();
  await openChannelMenu(page, 'general');
  await item(page, 'Mark channel as read').click();
  await inSidebar(page, '#general 1 unread').waitFor({ state: 'detached' });

  await openChannelMenu(page, 'general');
  await item(page, 'Mute channel').click();
  await sidebar(page).locator('li.is-muted').filter({ hasText: 'general' }).waitFor();
  await openChannelMenu(page, 'general');
  await item(page, 'Unmute channel').click();
  await sidebar(page).locator('li.is-muted').filter({ hasText: 'general' }).waitFor({ state: 'detached' });

  await openChannelMenu(page, 'general');
  await item(page, 'Pin to the top').click();
  await sidebar(page).getByRole('heading', { name: 'Pinned channels' }).waitFor();
  await openChannelMenu(page, 'general');
  await item(page, 'Unpin').click();
  await sidebar(page).getByRole('heading', { name: 'Pinned channels' }).waitFor({ state: 'detached' });

  await openChannelMenu(page, 'general');
  await item(page, 'Change color…').click();
  await page.getByRole('button', { name: 'Teal', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await openChannelMenu(page, 'general');
  await item(page, 'Change color…').click();
  await page.locator('button[aria-pressed=true]', { has: page.locator('.color-sample') }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal((await subscriptionOf(stage, 'Alice Member', 'general'))?.color, '#2fa58c');
  stage.saw('the menu of a channel marks it as read, mutes it, pins it and changes its color');

  await inSidebar(page, '#random').hover();
  await page.getByRole('button', { name: 'New topic: random', exact: true }).click();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Topic in random');
  await page.keyboard.press('Escape');
  stage.saw('a button of a channel begins a topic in it');

  await openChannelMenu(page, 'random');
  await item(page, 'Unsubscribe').click();
  await inSidebar(page, '#random').waitFor({ state: 'detached' });
  await askAs(stage, 'Alice Member').post('/users/me/subscriptions', { subscriptions: [{ name: 'random' }] });
  await inSidebar(page, '#random').waitFor();
  stage.saw('one leaves a channel from its menu');
}

const focusedName = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent;
  });

async function checkKeys(stage: Stage, page: Page): Promise<void> {
  await inSidebar(page, '#general').first().focus();
  await page.keyboard.press('Tab');
  assert.equal(await focusedName(page), 'New topic: general');
  await page.keyboard.press('Tab');
  assert.equal(await focusedName(page), 'Actions for general');
  await page.keyboard.press('Enter');
  await item(page, 'New topic').waitFor();
  assert.equal(await focusedName(page), 'New topic');
  await page.keyboard.press('Escape');
  assert.equal(await focusedName(page), 'Actions for general');
  stage.saw('the menu opens and closes by keys, and gives the focus back');
}

async function checkTopic(stage: Stage, page: Page): Promise<void> {
  const general = await channelId(askAs(stage, 'Alice Member'), 'general');
  await show(page, `narrow/channel/${general}-general`);
  await row(page, 'menus').click({ button: 'right' });
  await page.getByRole('menuitemradio', { name: 'Followed' }).click();
  await row(page, 'menus').getByLabel('Followed').waitFor();
  await row(page, 'menus').click({ button: 'right' });
  await page.getByRole('menuitemradio', { name: 'Default for channel' }).click();
  await row(page, 'menus').getByLabel('Followed').waitFor({ state: 'detached' });
  stage.saw('the second button of the mouse opens the menu of a topic');
}

async function checkDirect(stage: Stage, page: Page): Promise<void> {
  await tell(askAs(stage, 'Carol Member'), stage.demos.demo('Alice Member').user_id, 'Only a word.');
  await inSidebar(page, 'Carol Member 1 unread').waitFor();
  await row(page, 'Carol Member').click({ button: 'right' });
  await item(page, 'Mark conversation as read').click();
  await inSidebar(page, 'Carol Member 1 unread').waitFor({ state: 'detached' });
  await row(page, 'Carol Member').click({ button: 'right' });
  await item(page, 'Mute this person').click();
  const muted = async () => {
    type Registered = { muted_users: unknown[] };
    const params = { event_types: ['muted_users'] };
    return (await askAs(stage, 'Alice Member').post<Registered>('/register', params)).muted_users.length;
  };
  const dimmed = sidebar(page).locator('li.is-muted').filter({ hasText: 'Carol Member' });
  await dimmed.waitFor();
  assert.equal(await muted(), 1);
  await row(page, 'Carol Member').click({ button: 'right' });
  await item(page, 'Unmute this person').click();
  await dimmed.waitFor({ state: 'detached' });
  await row(page, 'Carol Member').click({ button: 'right' });
  await item(page, 'Mute this person').waitFor();
  assert.equal(await muted(), 0);
  await item(page, 'View profile').click();
  await page.getByRole('dialog', { name: 'Carol Member' }).waitFor();
  await page.keyboard.press('Escape');
  stage.saw('the menu of a conversation marks it as read, mutes the person and shows the profile');
}

import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { type Area, type Stage, assertSound, inSidebar } from './area.ts';
import { askAs, channelId, say } from './as-user.ts';

const main = (page: Page) => page.getByRole('main');

/** Channels: to look for, to join, to look into, to change and to create. */
export const browse: Area = {
  name: 'browse',
  async check(stage) {
    await using owner = await stage.open('Olivia Owner');
    const { page } = owner;
    await askAs(stage, 'Bob Member').post('/users/me/subscriptions', {
      subscriptions: [{ name: 'garden', description: 'What **grows** there' }],
    });
    await checkList(stage, page);
    await assertSound(owner, 'the list of channels');
    await checkPage(stage, page);
    await assertSound(owner, 'the page of a channel');
    await checkTopics(stage, page);
    await assertSound(owner, 'the topics of a channel');
    await checkOpening(stage, page);
    await checkLeaving(stage, page);
    await assertSound(owner, 'channels that were opened and left');
    await checkCreation(stage, page);
    await assertSound(owner, 'a new channel');
  },
};

async function checkList(stage: Stage, page: Page): Promise<void> {
  await inSidebar(page, 'Browse channels').click();
  await main(page).getByRole('heading', { name: 'Channels' }).waitFor();
  await page.getByLabel('Which channels').selectOption('Not subscribed');
  const search = page.getByLabel('Search channels by name or description');
  await search.fill('grows');
  await main(page).getByRole('status').getByText('1 channel', { exact: true }).waitFor();
  await main(page).getByText('1 subscriber', { exact: true }).waitFor();
  await main(page).getByText('What grows there').waitFor();
  await main(page).getByRole('link', { name: 'View messages in garden' }).waitFor();
  await main(page).getByRole('button', { name: 'Subscribe to garden' }).click();
  await inSidebar(page, '#garden').waitFor();
  await page.getByText('No channels match your filters.').waitFor();
  await page.getByLabel('Which channels').selectOption('Subscribed');
  await main(page).getByText('2 subscribers', { exact: true }).waitFor();
  stage.saw('channels are found by what they are about, and joined from the list');
}

async function checkPage(stage: Stage, page: Page): Promise<void> {
  await main(page).getByRole('link', { name: '#garden', exact: true }).click();
  await page.waitForFunction(() => document.title.endsWith('#garden: settings – Demo'));
  await page.getByLabel('Email notifications').selectOption('Always');
  await page.getByLabel('Mute this channel').check();
  await inSidebar(page, '#garden').locator('xpath=ancestor::li[contains(@class,"is-muted")]').waitFor();
  type Reply = { subscriptions: { name: string; email_notifications: boolean | null }[] };
  const mine = await askAs(stage, 'Olivia Owner').get<Reply>('/users/me/subscriptions');
  assert.equal(mine.subscriptions.find(({ name }) => name === 'garden')?.email_notifications, true);

  const search = page.getByLabel('Search subscribers, or people to add');
  await search.fill('carol');
  await page.getByRole('button', { name: 'Add Carol Member to garden' }).click();
  await page.getByRole('heading', { name: '3 subscribers' }).waitFor();
  await page.getByRole('button', { name: 'Remove Carol Member from garden' }).click();
  await page.getByRole('heading', { name: '2 subscribers' }).waitFor();
  await page.getByRole('button', { name: 'Add Carol Member to garden' }).waitFor();
  stage.saw('the page of a channel has what one has set for it, and who is in it');

  await page.getByText('Channel settings', { exact: true }).click();
  await page.getByLabel('Description').fill('Where things grow');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await main(page).getByText('Where things grow').waitFor();
  stage.saw('whoever may changes the channel there');
}

async function checkTopics(stage: Stage, page: Page): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  const garden = await channelId(bob, 'garden');
  for (const topic of ['roses', '✔ weeds', 'tulips']) await say(bob, 'garden', topic, 'Something');
  await askAs(stage, 'Olivia Owner').post('/user_topics', {
    stream_id: garden,
    topic: 'roses',
    visibility_policy: 3,
  });
  await main(page).getByRole('link', { name: 'Topics', exact: true }).click();
  const topics = main(page).locator('.channels-topic');
  const which = page.getByLabel('Which topics');
  const expectTopics = async (names: string[]) => {
    await main(page)
      .getByRole('status')
      .getByText(names.length === 1 ? '1 topic' : `${names.length} topics`, { exact: true })
      .waitFor();
    const texts = await topics.allTextContents();
    assert.deepEqual(
      texts.filter((name) => name !== 'channel events'),
      names.filter((name) => name !== 'channel events'),
    );
  };
  await topics.filter({ hasText: 'tulips' }).waitFor();
  await main(page)
    .getByText(/^Bob Member, Today/)
    .first()
    .waitFor();
  await which.selectOption('Resolved');
  await expectTopics(['✔ weeds']);
  await which.selectOption('Followed');
  await expectTopics(['roses']);
  await which.selectOption('All topics');
  await page.getByLabel('Search topics', { exact: true }).fill('tul');
  await expectTopics(['tulips']);
  await page.getByRole('button', { name: 'Actions for topic tulips' }).last().click();
  await page.getByRole('menuitem', { name: 'Mark as resolved' }).click();
  await page.getByLabel('Search topics', { exact: true }).fill('');
  await topics.filter({ hasText: '✔ tulips' }).click();
  await main(page).getByRole('heading', { name: '#garden › ✔ tulips' }).waitFor();
  stage.saw('the topics of a channel are a page, with who wrote last, filters and menus');
}

async function checkOpening(stage: Stage, page: Page): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  await askAs(stage, 'Olivia Owner').post('/mark_all_as_read');
  await say(bob, 'garden', 'weeds', 'Who helps?');
  const messages = [await say(bob, 'garden', 'roses', 'They are in bloom.')];
  await askAs(stage, 'Olivia Owner').post('/messages/flags', { messages, op: 'add', flag: 'read' });
  const heading = (name: string) => main(page).getByRole('heading', { name, exact: true });
  const choose = async (view: string) => {
    await page.evaluate(() => void (location.hash = 'settings/display'));
    const answer = page.waitForResponse(/\/settings$/);
    await page.getByLabel('Opening a channel shows').selectOption(view);
    await answer;
    await page.evaluate(() => void (location.hash = 'inbox'));
    // Its event may come after the answer; a page that is loaded anew has the setting.
    await page.reload();
    await main(page).getByRole('heading', { name: 'Inbox' }).waitFor();
  };
  await choose('The newest unread topic');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Channel, topic/ }).fill('#garden');
  await page.getByRole('option', { name: '#garden Channel' }).click();
  await heading('#garden › weeds').waitFor();
  await choose('The newest topic');
  await inSidebar(page, '#garden').click();
  await heading('#garden › roses').waitFor();
  await inSidebar(page, '#garden').click();
  await heading('#garden').waitFor();
  await choose('All messages in the channel');
  await inSidebar(page, '#garden').click();
  await heading('#garden').waitFor();
  stage.saw(
    'a channel opens with its newest topic, its newest unread one, or as a whole, as somebody has set it',
  );
}

/** Presses what leaves a channel, and answers the question that follows. */
async function leave(page: Page, name: string, answer: 'accept' | 'dismiss'): Promise<string> {
  const asked = new Promise<string>((resolve) => {
    page.once('dialog', (dialog) => {
      resolve(dialog.message());
      void dialog[answer]();
    });
  });
  await main(page)
    .getByRole('button', { name: `Unsubscribe from ${name}` })
    .click();
  return await asked;
}

async function checkLeaving(stage: Stage, page: Page): Promise<void> {
  const subscriptions = [{ name: 'cellar' }];
  await askAs(stage, 'Olivia Owner').post('/users/me/subscriptions', { subscriptions, invite_only: true });
  const id = await channelId(askAs(stage, 'Olivia Owner'), 'cellar');
  await inSidebar(page, '#cellar').waitFor();
  for (const path of [`channels/${id}`, 'channels', 'settings/channels']) {
    await page.evaluate((hash) => void (location.hash = hash), path);
    assert.match(await leave(page, 'cellar', 'dismiss'), /^Unsubscribe from cellar\? It is private/, path);
  }
  await leave(page, 'cellar', 'accept');
  await main(page).getByRole('button', { name: 'Unsubscribe from cellar' }).waitFor({ state: 'detached' });
  await page.evaluate(() => void (location.hash = 'channels'));
  stage.saw('whoever is about to leave a private channel is asked, wherever they leave it');
}

async function checkCreation(stage: Stage, page: Page): Promise<void> {
  await inSidebar(page, 'Create a channel').click();
  await page.getByLabel('Name', { exact: true }).fill('orchard');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await main(page)
    .getByRole('heading', { name: /orchard/ })
    .waitFor();
  await inSidebar(page, '#orchard').waitFor();
  await page.getByRole('button', { name: 'Unsubscribe from orchard' }).click();
  await inSidebar(page, '#orchard').waitFor({ state: 'detached' });
  await page.evaluate(() => void (location.hash = 'channels/999999'));
  await page.getByText('This channel doesn’t exist, or you don’t have access to it.').waitFor();
  stage.saw('a channel is created from the sidebar, and left from its page');
}

import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { type Area, type Stage, assertSound, withPeople } from './area.ts';
import { askAs } from './as-user.ts';

const say = async (stage: Stage, name: string, to: string, content: string, topic?: string) => {
  const type = topic === undefined ? 'direct' : 'channel';
  const fields = { type, to, content, ...(topic !== undefined && { topic }) };
  await askAs(stage, name).post('/messages', fields);
};

/** Notifications are kept where a test can look, and the person is asked as a browser would ask. */
const stubNotifications = () => {
  const shown: { title: string; body: string }[] = [];
  class Stub extends EventTarget {
    static permission = 'default';
    static requestPermission() {
      Stub.permission = 'granted';
      return Promise.resolve('granted');
    }
    constructor(title: string, { body }: { body: string }) {
      super();
      shown.push({ title, body });
    }
    close() {}
  }
  Object.assign(globalThis, { Notification: Stub, shownNotifications: shown });
};

const shownNotifications = (page: Page) =>
  page.evaluate(
    () =>
      (globalThis as unknown as { shownNotifications: { title: string; body: string }[] }).shownNotifications,
  );

/** The page as one that nobody looks at. */
const lookAway = (page: Page) =>
  page.evaluate(() => Object.defineProperty(document, 'hasFocus', { value: () => false }));

async function checkInboxFilters(stage: Stage, page: Page): Promise<void> {
  const main = page.getByRole('main');
  const line = (name: string) => main.getByRole('link', { name: `${name} 1 unread`, exact: true });
  const carol = askAs(stage, 'Carol Member');
  await carol.post('/mark_all_as_read');
  const { stream_id } = await carol.get<{ stream_id: number }>('/get_stream_id', { stream: 'general' });
  for (const [topic, visibility_policy] of [
    ['followed one', 3],
    ['muted one', 1],
    ['plain one', 0],
  ] as const) {
    await carol.post('/user_topics', { stream_id, topic, visibility_policy });
    await say(stage, 'Alice Member', 'general', 'to be filtered', topic);
  }
  await page.goto(`${stage.address}/#inbox`);
  await line('plain one').waitFor();
  const which = page.getByLabel('Which topics');
  await which.selectOption('Followed topics');
  await line('plain one').waitFor({ state: 'detached' });
  await main.getByRole('link', { name: /^followed one/ }).waitFor();
  await which.selectOption('All topics');
  await main.getByRole('link', { name: /^muted one/ }).waitFor();
  await page.reload();
  await main.getByRole('link', { name: /^muted one/ }).waitFor();
  await page.getByLabel('Search unread conversations').fill('plain');
  await main.getByRole('link', { name: /^muted one/ }).waitFor({ state: 'detached' });
  await line('plain one').waitFor();
  await page.getByLabel('Search unread conversations').fill('');
  await which.selectOption('Unmuted topics');
  stage.saw(
    'the inbox shows all topics, those that are not muted or those that are followed, also after a reload',
  );

  await page.locator('.inbox').click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await line('plain one').waitFor({ state: 'detached' });
  await main.getByRole('button', { name: 'Conversations of general', expanded: false }).waitFor();
  await page.reload();
  await main.getByRole('button', { name: 'Conversations of general', expanded: false }).click();
  await line('plain one').waitFor();
  for (const topic of ['followed one', 'muted one']) {
    await carol.post('/user_topics', { stream_id, topic, visibility_policy: 0 });
  }
  stage.saw('a channel of the inbox is folded by keys, and stays so');
}

async function checkInbox(stage: Stage): Promise<void> {
  const { open, saw, demos } = stage;
  await using carol = await open('Carol Member');
  const { page } = carol;
  const main = page.getByRole('main');
  await askAs(stage, 'Carol Member').post('/mark_all_as_read');
  await page.goto(`${stage.address}/#inbox`);
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await say(stage, 'Alice Member', 'general', 'for **everyone**', 'inbox');
  await say(stage, 'Alice Member', 'general', `@**Carol Member** for you`, 'to carol');
  await say(stage, 'Alice Member', `[${demos.demo('Carol Member').user_id}]`, 'just us');
  const topic = main.getByRole('link', { name: 'inbox 1 unread', exact: true });
  await topic.waitFor();
  await main.getByRole('link', { name: 'to carol Followed @ mentions you, 1 unread' }).waitFor();
  await main.getByRole('link', { name: 'Alice Member 1 unread' }).waitFor();
  await page.waitForFunction(() => /^\(\d+\) Inbox – Demo$/.test(document.title));
  await assertSound(carol, 'the inbox');
  saw('what is unread comes into the inbox and the title by itself');

  await page.locator('.inbox').click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('j');
  await page.keyboard.press('E');
  await main.getByRole('link', { name: 'Alice Member 1 unread' }).waitFor({ state: 'detached' });
  await main.getByRole('button', { name: 'Mark inbox as read', exact: true }).click();
  await topic.waitFor({ state: 'detached' });
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.startsWith('#narrow/'));
  saw('keys move in the inbox, mark as read and open');
  await checkInboxFilters(stage, page);

  await page.keyboard.press('t');
  await page.getByRole('heading', { name: 'Recent conversations' }).waitFor();
  const recent = main.getByRole('link', { name: /#general › inbox/ });
  await recent.waitFor();
  await page.getByLabel('Conversation type').selectOption('Direct messages');
  await recent.waitFor({ state: 'detached' });
  await page.getByLabel('Conversation type').selectOption('All');
  await page.getByLabel('Search conversations').fill('inb');
  await recent.waitFor();
  await say(stage, 'Bob Member', 'general', 'and more', 'inbox');
  await main.getByRole('link', { name: /#general › inbox.*Bob Member, Alice Member/ }).waitFor();
  await assertSound(carol, 'recent conversations');
  saw('recent conversations have who takes part, and filters');
}

async function checkPeople({ open, saw }: Stage): Promise<void> {
  await using alice = await open('Alice Member', withPeople);
  await using bob = await open('Bob Member');
  const row = alice.page.getByRole('complementary').getByRole('listitem').filter({ hasText: 'Bob Member' });
  await row.getByText('active').waitFor();
  await bob.page.getByRole('button', { name: 'Menu' }).click();
  await bob.page.getByRole('button', { name: 'Status' }).click();
  await bob.page.getByRole('button', { name: 'Commuting' }).click();
  await assertSound(bob, 'the status');
  await bob.page.getByRole('button', { name: 'Save', exact: true }).click();
  await row.getByRole('img', { name: 'Commuting' }).waitFor();
  saw('others see who is here, and what they say of themselves');

  await alice.page.getByRole('button', { name: 'View profile of Bob Member' }).click();
  const card = alice.page.getByRole('dialog', { name: 'Bob Member' });
  await card.getByText('Commuting').waitFor();
  await card.getByRole('link', { name: '#general' }).waitFor();
  await assertSound(alice, 'a profile');
  await card.getByRole('link', { name: 'Send direct message' }).click();
  await card.waitFor({ state: 'detached' });
  await alice.page.getByRole('heading', { name: 'Bob Member' }).waitFor();
  await alice.page.keyboard.press('w');
  await alice.page.keyboard.type('caro');
  await row.waitFor({ state: 'detached' });
  saw('a profile leads to a conversation, and people are found by name');

  await bob.page.getByRole('button', { name: 'Menu' }).click();
  await bob.page.getByRole('button', { name: 'Status' }).click();
  await bob.page.getByRole('button', { name: 'Go invisible' }).click();
  await bob.page.getByText('You’re invisible').waitFor();
  await bob.page.getByRole('button', { name: 'Turn off invisible mode' }).click();
  await bob.page.getByText('Others can see when you’re active.').waitFor();
  saw('whoever wants it is invisible');
}

async function checkNotifications(stage: Stage): Promise<void> {
  const { open, saw, demos } = stage;
  await using gus = await open('Gus Guest');
  const { page } = gus;
  await page.addInitScript(stubNotifications);
  await page.goto(`${stage.address}/?again#settings/notifications`);
  await page.getByRole('button', { name: 'Turn on notifications' }).click();
  await page.getByText('You’re notified on this device while Parley is open.').waitFor();
  await assertSound(gus, 'the settings of notifications');
  await lookAway(page);
  await say(stage, 'Alice Member', 'general', 'for nobody in particular', 'quiet');
  await say(stage, 'Alice Member', `[${demos.demo('Gus Guest').user_id}]`, 'come **here** <now>');
  await page.waitForFunction(
    () => (globalThis as unknown as { shownNotifications: unknown[] }).shownNotifications.length > 0,
  );
  assert.deepEqual(await shownNotifications(page), [{ title: 'Alice Member', body: 'come here <now>' }]);
  saw('who looks elsewhere is told of what is for them, and of nothing else');
}

async function checkSettings(stage: Stage): Promise<void> {
  const { open, saw } = stage;
  await using alice = await open('Alice Member');
  const { page } = alice;
  await page.goto(`${stage.address}/#settings`);
  await page.getByRole('heading', { name: 'Account' }).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Alice Renamed');
  await page.getByRole('button', { name: 'Change name' }).click();
  const ownName = page.locator('#menu strong');
  await ownName.filter({ hasText: 'Alice Renamed' }).waitFor({ state: 'attached' });
  await page.getByLabel('Name', { exact: true }).fill('Alice Member');
  await page.getByRole('button', { name: 'Change name' }).click();
  await ownName.filter({ hasText: 'Alice Member' }).waitFor({ state: 'attached' });
  await page.getByLabel('Password (required to show your API key)').fill('wrong');
  await page.getByRole('button', { name: 'Show API key' }).click();
  await page.getByText('This is not your password.').waitFor();
  assert.match(
    alice.problems.splice(0).join(),
    /\b400\b/,
    'the refusal that was asked for, and nothing else',
  );
  await assertSound(alice, 'the settings of the account');
  saw('the account is changed at once, and refusals are said where they belong');

  const tabs = page.getByRole('navigation', { name: 'Settings' });
  await tabs.getByRole('link', { name: 'Display' }).click();
  const saved = page.waitForResponse((response) => response.url().endsWith('/json/settings'));
  await page.getByLabel('Press Enter to send').check();
  assert.equal((await saved).status(), 200);
  await page.reload();
  assert.equal(await page.getByLabel('Press Enter to send').isChecked(), true);
  await page.getByLabel('Press Enter to send').uncheck();
  await assertSound(alice, 'the settings of the display');

  await tabs.getByRole('link', { name: 'Channels', exact: true }).click();
  await page.getByRole('button', { name: 'Unsubscribe from random' }).click();
  await page.getByRole('button', { name: 'Subscribe to random' }).click();
  await page.getByRole('button', { name: 'Unsubscribe from random' }).waitFor();
  await page.getByLabel('Mute random').check();
  await assertSound(alice, 'the settings of channels');
  await tabs.getByRole('link', { name: 'Alert words' }).click();
  await page.getByLabel('Word or phrase').fill('cheese');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('button', { name: 'Remove cheese' }).click();
  await page.getByRole('button', { name: 'Remove cheese' }).waitFor({ state: 'detached' });
  saw('settings of display, channels and words hold after a reload');
}

/** More direct conversations than the sidebar shows, each with something unread. */
async function checkManyDirects(stage: Stage): Promise<void> {
  const { open, saw, demos } = stage;
  const idOf = (name: string) => demos.demo(name).user_id;
  const others = ['Adam Administrator', 'Alice Member', 'Gus Guest', 'Mona Moderator', 'Olivia Owner'];
  // Each number is a group of them, by its bits.
  for (let mask = 1; mask < 20; mask += 1) {
    const people = others.filter((_, bit) => (mask & (1 << bit)) !== 0).map(idOf);
    const to = JSON.stringify([...new Set([idOf('Carol Member'), ...people])]);
    await say(stage, 'Bob Member', to, 'One of many.');
  }
  await using carol = await open('Carol Member');
  const { page } = carol;
  const section = page.getByRole('navigation').locator('section').filter({ hasText: 'Direct messages' });
  await section.getByRole('link').nth(14).waitFor();
  assert.equal(await section.getByRole('link').count(), 15);
  await section.getByRole('button', { name: 'Show more conversations' }).click();
  await section.getByRole('link').nth(15).waitFor();
  await assertSound(carol, 'many direct conversations');
  await askAs(stage, 'Carol Member').post('/mark_all_as_read');
  saw('however many direct conversations have something unread, the sidebar shows fifteen at first');
}

/** Inbox, recent conversations, people, notifications and settings. */
export const around: Area = {
  name: 'around',
  async check(stage) {
    await checkInbox(stage);
    await checkPeople(stage);
    await checkNotifications(stage);
    await checkSettings(stage);
    await checkManyDirects(stage);
  },
};

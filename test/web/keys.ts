import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { type Area, type Stage, assertSound, said } from './area.ts';
import { askAs, channelId, say, tell } from './as-user.ts';
import type { Watched } from './browser.ts';
import { settle, show } from './settle.ts';

/** The keys of Zulip's client do the same here. */
export const keys: Area = {
  name: 'keys',
  async check(stage) {
    await using alice = await stage.open('Alice Member');
    const { page } = alice;
    await talk(stage);
    await show(page, await fragmentOf(stage, 'keys'));
    await said(page, 'the oldest of them').waitFor();
    await checkAnswers(page);
    stage.saw('keys and clicks answer, mention, quote and forward');
    await checkMessages(page);
    stage.saw('keys react, collapse, mark, and show the sender, the source and the history');
    await checkOwn(page);
    stage.saw('the key to the left edits the last own message, from an empty field as well');
    await checkPlaces(page, stage);
    stage.saw('keys lead from a message to its conversation, its channel, and to other channels');
    await checkPalette(alice);
    stage.saw('the palette leads to channels, topics, people, views, commands and searches');
    await checkTopics(page, stage);
    stage.saw('keys mute topics, and lead to what is unread in those that are followed');
    await checkChannels(page, stage);
    stage.saw('keys walk through the list of channels, join, leave, open and filter, and begin a new one');
    assert.deepEqual(alice.problems, []);
  },
};

async function fragmentOf(stage: Stage, topic: string): Promise<string> {
  return `narrow/channel/${await channelId(askAs(stage, 'Alice Member'), 'random')}-random/topic/${topic}`;
}

async function talk(stage: Stage): Promise<void> {
  const [alice, bob] = [askAs(stage, 'Alice Member'), askAs(stage, 'Bob Member')];
  const id = await say(bob, 'random', 'keys', 'the **oldest** of them');
  await askAs(stage, 'Carol Member').post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
  await say(alice, 'random', 'keys', 'one of my own');
  const edited = await say(bob, 'random', 'keys', 'before');
  await bob.patch(`/messages/${edited}`, { content: 'after it was edited' });
  await tell(bob, stage.demos.demo('Alice Member').user_id, 'between us');
}

/** Has a message selected, as whoever walks to it by keys has. */
const select = async (page: Page, text: string) => await said(page, text).first().focus();
const field = (page: Page) => page.getByLabel('Message', { exact: true });

/** Waits until what is being written is this, and begins anew. */
async function expectDraft(page: Page, isIt: RegExp): Promise<void> {
  await page.waitForFunction(
    ([source]) => {
      const at = document.activeElement;
      return (
        document
          .querySelector<HTMLTextAreaElement>('.compose textarea')
          ?.value.match(new RegExp(source ?? '', 's')) && at?.closest('.compose') !== null
      );
    },
    [isIt.source],
  );
  await field(page).fill('');
}

async function checkAnswers(page: Page): Promise<void> {
  const oldest = 'the oldest of them';
  for (const key of ['r', 'Enter']) {
    await select(page, oldest);
    await page.keyboard.press(key);
    await expectDraft(page, /^$/);
  }
  await said(page, oldest).first().getByText('of them').click();
  await expectDraft(page, /^$/);
  await select(page, oldest);
  await page.keyboard.press('@');
  await expectDraft(page, /^@\*\*Bob Member\|\d+\*\* $/);
  await select(page, oldest);
  await page.keyboard.press('>');
  await expectDraft(page, /^@_\*\*Bob Member\|\d+\*\* .*```quote\nthe \*\*oldest\*\* of them\n```/);
  await field(page).press('Escape');
  await select(page, oldest);
  await page.keyboard.press('R');
  await page.getByPlaceholder('Message Bob Member').waitFor();
  await expectDraft(page, /^$/);
  await select(page, oldest);
  await page.keyboard.press('<');
  await expectDraft(page, /```quote\nthe \*\*oldest\*\* of them\n```/);
  await field(page).press('Escape');
}

async function checkMessages(page: Page): Promise<void> {
  const message = said(page, 'the oldest of them').first();
  await message.focus();
  await page.keyboard.press('+');
  await message.getByRole('button', { name: /^\+1: .*You/ }).waitFor();
  await page.keyboard.press('=');
  await message.getByRole('button', { name: /^tada: .*You/ }).waitFor();
  await page.keyboard.press('Control+s');
  await message.getByRole('img', { name: 'Starred' }).waitFor();
  await page.keyboard.press('Control+s');
  await message.getByRole('img', { name: 'Starred' }).waitFor({ state: 'detached' });
  await page.keyboard.press('-');
  await page.getByText('of them').waitFor({ state: 'detached' });
  await page.keyboard.press('-');
  await message.waitFor();
  await message.focus();
  await page.keyboard.press('u');
  await page.getByRole('dialog', { name: 'Bob Member' }).waitFor();
  await page.keyboard.press('Escape');
  await message.focus();
  await page.keyboard.press('e');
  await page.getByRole('dialog', { name: 'View source' }).getByText('the **oldest** of them').waitFor();
  await page.keyboard.press('Escape');
  await select(page, 'after it was edited');
  await page.keyboard.press('H');
  await page.getByRole('dialog', { name: 'Edit history' }).waitFor();
  await page.keyboard.press('Escape');
  await message.focus();
  await page.keyboard.press('i');
  await page
    .getByRole('menu', { name: 'Message actions' })
    .getByRole('menuitem', { name: 'Forward' })
    .waitFor();
  await page.keyboard.press('Escape');
}

async function checkOwn(page: Page): Promise<void> {
  const box = page.getByLabel('Message text');
  for (const begin of [() => select(page, 'the oldest of them'), () => field(page).focus()]) {
    await begin();
    await page.keyboard.press('ArrowLeft');
    await box.waitFor();
    assert.equal(await box.inputValue(), 'one of my own');
    await box.press('Escape');
    await box.waitFor({ state: 'detached' });
  }
  await field(page).fill('not empty');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await box.count(), 0);
  await field(page).press('Alt+p');
  await page.getByRole('region', { name: 'Preview' }).getByText('not empty').waitFor();
  await page.keyboard.press('Alt+p');
  await field(page).fill('');
}

async function checkPlaces(page: Page, stage: Stage): Promise<void> {
  const at = async (pattern: RegExp) => {
    await page.waitForFunction((source) => new RegExp(source).test(location.hash), pattern.source);
    await settle(page);
  };
  await show(page, await fragmentOf(stage, 'keys'));
  await select(page, 'the oldest of them');
  await page.keyboard.press('s');
  await at(/^#narrow\/channel\/\d+-random$/);
  await select(page, 'the oldest of them');
  await page.keyboard.press('s');
  await at(/-random\/topic\/keys/);
  await show(page, 'feed');
  await select(page, 'after it was edited');
  await page.keyboard.press('z');
  await at(/-random\/topic\/keys\/.*near\/\d+$/);
  await select(page, 'after it was edited');
  await page.keyboard.press('D');
  await at(/^#narrow\/channel\/\d+-(?!random)/);
  await page.locator('body').press('A');
  await at(/^#narrow\/channel\/\d+-random$/);
  await page.locator('body').press('P');
  await at(/^#narrow\/is\/dm$/);
  await said(page, 'between us').first().waitFor();
  await page.locator('body').press('I');
  await at(/^#inbox$/);
}

/** What is typed into the palette leads somewhere. */
async function checkPalette(alice: Watched): Promise<void> {
  const { page } = alice;
  const palette = page.getByRole('dialog', { name: 'Jump to…' });
  const jump = async (text: string) => {
    await page.keyboard.press('Control+k');
    // What is typed at once is for the palette already.
    await page.keyboard.type(text);
    await palette.waitFor();
  };
  const leadsTo = async (text: string, pattern: RegExp) => {
    await jump(text);
    await page.keyboard.press('Enter');
    await page.waitForFunction((source) => new RegExp(source).test(location.hash), pattern.source);
    await palette.waitFor({ state: 'detached' });
  };
  await leadsTo('rand', /^#narrow\/channel\/\d+-random$/);
  await leadsTo('random > ke', /-random\/topic\/keys/);
  await leadsTo('bob', /^#narrow\/dm\/\d+$/);
  await leadsTo('recent conv', /^#recent$/);
  await leadsTo('edited certainly', /^#narrow\/search\/edited.20certainly$/);
  await jump('bo');
  await palette.getByRole('option', { name: 'Bob Member' }).waitFor();
  await assertSound(alice, 'the palette');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+k');
  await palette.waitFor({ state: 'detached' });
  await jump('keyboard sh');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  // A text that is being written stays where it is.
  await page.getByRole('button', { name: 'New direct message' }).click();
  await field(page).fill('not yet sent');
  await jump('inb');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await palette.waitFor({ state: 'detached' });
  assert.equal(await field(page).inputValue(), 'not yet sent');
  await field(page).fill('');
  await field(page).press('Escape');
}

async function checkTopics(page: Page, stage: Stage): Promise<void> {
  const [alice, bob] = [askAs(stage, 'Alice Member'), askAs(stage, 'Bob Member')];
  const random = await channelId(alice, 'random');
  await alice.post('/mark_all_as_read');
  await alice.post('/user_topics', { stream_id: random, topic: 'followed', visibility_policy: 3 });
  await say(bob, 'random', 'elsewhere', 'something else');
  await say(bob, 'random', 'followed', 'what you follow');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^followed/ })
    .waitFor();
  await page.locator('body').press('N');
  await said(page, 'what you follow').waitFor();
  await select(page, 'what you follow');
  await page.keyboard.press('M');
  await page.getByText('Topic muted.').waitFor();
  await page.keyboard.press('M');
  await page.getByText('Topic no longer muted.').waitFor();
}

async function checkChannels(page: Page, stage: Stage): Promise<void> {
  await askAs(stage, 'Bob Member').post('/users/me/subscriptions', {
    subscriptions: [{ name: 'aardvarks' }],
  });
  await show(page, 'channels');
  const main = page.getByRole('main');
  const first = main.getByRole('link', { name: '#aardvarks', exact: true });
  await first.waitFor();
  const walk = async () => {
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.waitForFunction(() => document.activeElement?.matches('a[href^="#channels/"]'));
    assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ''), /aardvarks/);
  };
  await walk();
  await page.keyboard.press('S');
  await main.getByRole('button', { name: 'Unsubscribe from aardvarks' }).waitFor();
  await page.keyboard.press('S');
  await main.getByRole('button', { name: 'Subscribe to aardvarks' }).waitFor();
  const which = main.getByLabel('Which channels');
  await page.keyboard.press('ArrowRight');
  assert.equal(await which.inputValue(), 'subscribed');
  await first.waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowLeft');
  assert.equal(await which.inputValue(), 'all');
  await walk();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'View messages');
  await page.keyboard.press('V');
  await page.waitForFunction(() => /^#narrow\/channel\/\d+-aardvarks/.test(location.hash));
  await show(page, 'channels');
  await walk();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /^#channels\/\d+$/.test(location.hash));
  await show(page, 'recent');
  await page.locator('[data-place]').first().waitFor();
  for (const key of ['j', 'j', 'k']) await page.keyboard.press(key);
  await page.waitForFunction(() => document.activeElement === document.querySelector('.recent [data-place]'));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.startsWith('#narrow/'));
  await show(page, 'channels');
  await page.keyboard.press('n');
  await page.waitForFunction(() => location.hash === '#channels/new');
}

import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { type Area, type Stage, assertSound, inSidebar, said } from './area.ts';
import { askAs, channelId, say, tell } from './as-user.ts';
import type { Watched } from './browser.ts';
import { show } from './settle.ts';

interface Visit {
  stage: Stage;
  alice: Watched;
  page: Page;
  channel: number;
}

const field = (page: Page) => page.getByLabel('Message', { exact: true });
const headed = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

/** Where a reader is: the topic that others rename, links to it, the title of the page, and narrows that are none. */
export const places: Area = {
  name: 'places',
  async check(stage) {
    await using alice = await stage.open('Alice Member');
    const channel = await channelId(askAs(stage, 'Bob Member'), 'general');
    const visit: Visit = { stage, alice, page: alice.page, channel };
    await follows(visit);
    await staysWithTheRest(visit);
    await leads(visit);
    await keepsItsMessage(visit);
    await isTitled(visit);
    await asksOnce(visit);
    await comesBack(visit);
    await assertSound(alice, 'places');
  },
};

const rename = async (stage: Stage, id: number, topic: string, propagate_mode = 'change_all') =>
  await askAs(stage, 'Olivia Owner').patch(`/messages/${id}`, { topic, propagate_mode });

async function follows({ stage, page, channel }: Visit): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  const id = await say(bob, 'general', 'plan', 'What to plan?');
  await inSidebar(page, '#general').click();
  await inSidebar(page, 'plan').click();
  await headed(page, '#general › plan');
  await page.waitForURL(new RegExp(`/topic/plan/with/${id}$`));
  await field(page).fill('Half a sentence');
  await rename(stage, id, 'great plan');
  await headed(page, '#general › great plan');
  await page.waitForURL(new RegExp(`/topic/great.20plan/with/${id}$`));
  await said(page, 'What to plan?').waitFor();
  assert.equal(await field(page).inputValue(), 'Half a sentence');
  await field(page).press('Control+Enter');
  await said(page, 'Half a sentence').waitFor();
  stage.saw('whoever reads a topic stays in it when it is renamed, and writes to its new name');

  await page.getByRole('main').getByRole('button', { name: 'Topic' }).first().click();
  await page.getByRole('menuitem', { name: 'Mark as resolved' }).click();
  await headed(page, '#general › ✔ great plan');
  await inSidebar(page, '✔ great plan').waitFor();
  await page.getByRole('navigation').getByText('great plan', { exact: true }).waitFor({ state: 'detached' });
  await field(page).fill('Done.');
  await field(page).press('Control+Enter');
  await said(page, 'Done.').waitFor();
  const random = await channelId(bob, 'random');
  await askAs(stage, 'Olivia Owner').patch(`/messages/${id}`, {
    stream_id: random,
    propagate_mode: 'change_all',
    send_notification_to_old_thread: true,
  });
  await headed(page, '#random › ✔ great plan');
  await field(page).fill('Moved along.');
  await field(page).press('Control+Enter');
  await page.locator('article[id^=message-]', { hasText: 'Moved along.' }).waitFor();
  const { messages } = await bob.get<{ messages: { subject: string; stream_id: number }[] }>('/messages', {
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
    narrow: [{ operator: 'sender', operand: stage.demos.demo('Alice Member').user_id }],
  });
  const written = messages.slice(-3).map(({ subject, stream_id }) => [subject, stream_id === random]);
  assert.deepEqual(written, [
    ['✔ great plan', true],
    ['✔ great plan', true],
    ['✔ great plan', true],
  ]);
  assert.notEqual(channel, random);
  stage.saw('so it is when it is resolved, or moved to another channel');
}

async function staysWithTheRest({ stage, page, channel }: Visit): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  const first = await say(bob, 'general', 'mixed', 'About tea.');
  const second = await say(bob, 'general', 'mixed', 'About cake.');
  await show(page, `narrow/channel/${channel}-general/topic/mixed`);
  await page.waitForURL(new RegExp(`/mixed/with/${second}$`));
  await rename(stage, second, 'cake', 'change_one');
  await said(page, 'About cake.').waitFor({ state: 'detached' });
  await page.waitForURL(new RegExp(`/mixed/with/${first}$`));
  await headed(page, '#general › mixed');
  stage.saw('whoever reads a topic stays there when only a part of it is moved');
}

async function leads({ stage, page, channel }: Visit): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  const id = await say(bob, 'general', 'before', 'Said before.');
  await rename(stage, id, 'after');
  await show(page, 'inbox');
  await show(page, `narrow/channel/${channel}-general/topic/before/with/${id}`);
  await headed(page, '#general › after');
  await said(page, 'Said before.').waitFor();
  await page.waitForURL(new RegExp(`/topic/after/with/${id}$`));
  const links = await page.getByRole('navigation').locator('a[href*="/topic/"]').all();
  assert.ok(links.length > 0);
  for (const link of links) assert.match((await link.getAttribute('href')) ?? '', /\/with\/\d+$/);
  await show(page, `narrow/channel/${channel}-general/topic/after/near/${id}`);
  await page.locator(`#message-${id}.selected`).waitFor();
  await rename(stage, id, 'long after');
  await headed(page, '#general › long after');
  await page.locator(`#message-${id}.selected`).waitFor();
  await rename(stage, id, 'after');
  await headed(page, '#general › after');
  stage.saw('links name a message, and lead to where its conversation is now');
}

/** The reader follows a link to a message, and the page hears that its topic has moved before it has shown that. */
async function keepsItsMessage({ stage, page, channel }: Visit): Promise<void> {
  const id = await say(askAs(stage, 'Bob Member'), 'general', 'early', 'Said early.');
  const early = `narrow/channel/${channel}-general/topic/early`;
  await show(page, `${early}/with/${id}`);
  await said(page, 'Said early.').waitFor();
  const gone = page.evaluate((hash) => {
    location.hash = hash;
    const end = performance.now() + 1000;
    while (performance.now() < end);
  }, `${early}/near/${id}`);
  await rename(stage, id, 'later');
  await gone;
  await headed(page, '#general › later');
  await page.locator(`#message-${id}.selected`).waitFor();
  stage.saw('a link to a message keeps it where the topic is moved in the same moment');
}

async function isTitled({ stage, page, channel }: Visit): Promise<void> {
  const hasTitle = (title: string) =>
    page.waitForFunction((wanted) => document.title.replace(/^\(\d+\) /, '') === wanted, title);
  await show(page, `narrow/channel/${channel}-general/topic/after`);
  await hasTitle('#general › after – Demo');
  await show(page, `narrow/channel/${channel}-general`);
  await hasTitle('#general – Demo');
  await show(page, `narrow/dm/${stage.demos.demo('Bob Member').user_id}`);
  await hasTitle('Bob Member – Demo');
  await show(page, 'feed');
  await hasTitle('Combined feed – Demo');
  await tell(askAs(stage, 'Carol Member'), stage.demos.demo('Alice Member').user_id, 'For the count.');
  await page.waitForFunction(() => /^\([1-9]\d*\) Combined feed – Demo$/.test(document.title));
  await show(page, 'drafts');
  await hasTitle('Drafts – Demo');
  stage.saw('the title of the page is the conversation, with what is unread');
}

async function asksOnce({ stage, alice, page, channel }: Visit): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (url.includes('/json/messages') && url.includes('nonsense')) asked.push(new URL(url).pathname);
  });
  await show(page, 'narrow/is/nonsense');
  await page.getByRole('alert').waitFor();
  const unread = inSidebar(page, '#general');
  for (const text of ['One of three.', 'Two of three.']) await say(bob, 'general', 'asked', text);
  await unread.waitFor();
  await show(page, `narrow/channel/${channel}-general/topic/asked`);
  await said(page, 'Two of three.').waitFor();
  await say(bob, 'general', 'asked', 'Three of three.');
  await said(page, 'Three of three.').waitFor();
  assert.deepEqual(asked, ['/json/messages']);
  alice.problems.splice(0, alice.problems.length, ...alice.problems.filter((one) => !/ 400 /.test(one)));
  stage.saw('a narrow that the server refuses is asked for once, also after it was left');
}

/** The first message in view, and how far its top is from that of the list. */
const firstInView = () => {
  const top = document.querySelector('.message-scroller')?.getBoundingClientRect().top ?? 0;
  const first = [...document.querySelectorAll('article')].find(
    (one) => one.getBoundingClientRect().bottom > top,
  );
  return { id: first?.id, top: Math.round((first?.getBoundingClientRect().top ?? 0) - top) };
};

const isNearEnd = () => {
  const list = document.querySelector('.message-scroller');
  return list !== null && list.scrollHeight - list.scrollTop - list.clientHeight < 1200;
};

/** Whether a message is in view, as far from the top as before. */
const isAt = ({ id, top }: { id: string | undefined; top: number }) => {
  const listTop = document.querySelector('.message-scroller')?.getBoundingClientRect().top ?? 0;
  const now = document.getElementById(id ?? '')?.getBoundingClientRect().top;
  return now !== undefined && Math.abs(now - listTop - top) <= 2;
};

async function comesBack({ stage, page, channel }: Visit): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  for (let line = 1; line <= 60; line += 1) await say(bob, 'general', 'long', `Line ${line}\n\nof many`);
  await askAs(stage, 'Alice Member').post('/mark_all_as_read');
  await show(page, `narrow/channel/${channel}-general/topic/long`);
  await said(page, 'Line 60').waitFor();
  await page.mouse.move(640, 400);
  while (await page.evaluate(isNearEnd)) {
    await page.mouse.wheel(0, -400);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await page.waitForFunction(() => new Promise((resolve) => requestIdleCallback(() => resolve(true))));
  const before = await page.evaluate(firstInView);
  const isThere = () => page.waitForFunction(isAt, before);
  await inSidebar(page, 'asked').click();
  await headed(page, '#general › asked');
  await page.goBack();
  await headed(page, '#general › long');
  await isThere();
  // The mouse would scroll to what is partly above the list.
  const itsTime = page.locator(`#${before.id}`).getByRole('link').first();
  await itsTime.evaluate((link) => (link as HTMLElement).click());
  await page.waitForURL(/\/near\/\d+$/);
  await page.goBack();
  await isThere();
  stage.saw('going back leads to where one was in a conversation');
}

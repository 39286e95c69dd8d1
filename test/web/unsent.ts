import assert from 'node:assert/strict';

import type { Locator, Page, Route } from 'playwright-core';

import { type Area, type Stage, assertSound, inSidebar, said } from './area.ts';
import { askAs, channelId, storedDrafts, untilNoDrafts } from './as-user.ts';
import { show } from './settle.ts';

const field = (page: Page) => page.getByLabel('Message', { exact: true });

/** What is not sent yet: a draft in two tabs, files that are dropped, a message that waits for the network. */
export const unsent: Area = {
  name: 'unsent',
  async check(stage) {
    await isListedOnce(stage);
    await isCreatedOnce(stage);
    await isGoneWhenSent(stage);
    await acceptsDroppedFiles(stage);
    await outlivesAnOutage(stage);
  },
};

async function isListedOnce(stage: Stage): Promise<void> {
  await using carol = await stage.open('Carol Member');
  const { page } = carol;
  const second = await page.context().newPage();
  await second.goto(new URL('/#drafts', page.url()).href);
  await second.getByText('You have no drafts.').waitFor();
  const created: string[] = [];
  const changed: string[] = [];
  for (const tab of [page, second]) {
    tab.on('response', (response) => {
      const method = response.request().method();
      if (!/\/json\/drafts/.test(response.url())) return;
      if (method === 'POST') created.push(response.url());
      if (method === 'PATCH') changed.push(response.url());
    });
  }
  await inSidebar(page, '#general').click();
  await page.getByLabel('Topic in general').fill('two tabs');
  const isSaved = page.waitForResponse('**/json/drafts');
  await field(page).fill('Begun once.');
  await second.getByRole('main').getByText('Begun once.').waitFor();
  await isSaved;
  const isChanged = page.waitForResponse('**/json/drafts/*');
  await field(page).fill('Begun once, and continued.');
  await isChanged;
  await second.getByRole('main').getByText('Begun once, and continued.').waitFor();
  assert.equal(await second.getByRole('button', { name: 'Continue' }).count(), 1);
  assert.equal(created.length, 1);
  assert.deepEqual(await storedDrafts(askAs(stage, 'Carol Member')), ['Begun once, and continued.']);
  await inSidebar(page, '#general').focus();
  await second.getByRole('button', { name: 'Delete' }).click();
  await second.getByText('You have no drafts.').waitFor();
  await page.waitForFunction(() => document.querySelector('textarea')?.value === '');
  await assertSound(carol, 'a draft in two tabs');
  stage.saw('a draft that two tabs show is one draft, here and at the server');
}

async function isCreatedOnce(stage: Stage): Promise<void> {
  await using carol = await stage.open('Carol Member');
  const { page } = carol;
  await inSidebar(page, '#general').click();
  await page.getByLabel('Topic in general').fill('loaded anew');
  const isStored = new Promise<void>((resolve) => {
    void page.route(
      '**/json/drafts',
      async (route) => {
        // The page is gone before it knows.
        await route.fetch();
        resolve();
      },
      { times: 1 },
    );
  });
  await field(page).fill('Asked for once.');
  await isStored;
  await field(page).fill('Asked for once, and continued.');
  const isChanged = page.waitForResponse('**/json/drafts/*');
  await page.reload();
  await isChanged;
  assert.deepEqual(await storedDrafts(askAs(stage, 'Carol Member')), ['Asked for once, and continued.']);
  stage.saw('a draft whose page was loaded anew before the server had answered is one draft');

  const general = await channelId(askAs(stage, 'Carol Member'), 'general');
  const written = {
    type: 'stream',
    to: [general],
    topic: 'twice',
    content: 'Asked for twice.',
    timestamp: 1,
  };
  const isDeleted = page.waitForResponse(
    (response) => response.request().method() === 'DELETE' && response.url().includes('/json/drafts/'),
  );
  await show(page, 'drafts');
  await askAs(stage, 'Carol Member').post('/drafts', { drafts: [written, written] });
  await isDeleted;
  await page.getByRole('main').getByText('Asked for twice.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Continue' }).count(), 2);
  assert.deepEqual((await storedDrafts(askAs(stage, 'Carol Member'))).sort(), [
    'Asked for once, and continued.',
    'Asked for twice.',
  ]);
  const deletes = page.getByRole('button', { name: 'Delete' });
  while ((await deletes.count()) > 0) await deletes.first().click();
  await page.getByText('You have no drafts.').waitFor();
  await assertSound(carol, 'a draft that was asked for twice');
  stage.saw('a draft that the server has twice is shown once, and deleted once');
}

/** Resolves when a page has asked for this. It gets no answer, and the server is asked only if `isStored`. */
const asksInVain = (page: Page, path: string, isStored: boolean) =>
  new Promise<void>((resolve) => {
    const hold = async (route: Route) => {
      if (isStored) await route.fetch();
      resolve();
    };
    void page.route(path, hold, { times: 1 });
  });

/** What is sent is no draft any more, even if the page goes before it knows of the draft, or before it is deleted. */
async function isGoneWhenSent(stage: Stage): Promise<void> {
  await using carol = await stage.open('Carol Member');
  const { page } = carol;
  const send = async (text: string, isReady: Promise<unknown>) => {
    await inSidebar(page, '#general').click();
    await page.getByLabel('Topic in general').fill('loaded anew');
    await field(page).fill(text);
    await isReady;
    await field(page).press('Control+Enter');
    await page.locator('article[id^=message-]', { hasText: text }).waitFor();
    // The browser keeps it until its message was acknowledged as well.
    const kept = `"content":${JSON.stringify(text)}`;
    await page.waitForFunction((part) => !Object.values(localStorage).join().includes(part), kept);
  };
  const isGoneAfterReload = async () => {
    await page.reload();
    await untilNoDrafts(askAs(stage, 'Carol Member'));
  };
  await send('Sent before the reply.', asksInVain(page, '**/json/drafts', true));
  await isGoneAfterReload();
  const isAsked = asksInVain(page, '**/json/drafts/*', false);
  await send('Sent, and left.', page.waitForResponse('**/json/drafts'));
  await isAsked;
  await isGoneAfterReload();
  await page.keyboard.press('d');
  await page.getByText('You have no drafts.').waitFor();
  await assertSound(carol, 'no drafts');
  stage.saw('a draft that was sent is gone, even if its page was loaded anew meanwhile');
  await isGoneBeforeItsEvent(stage, page);
}

/** Whoever loads the page anew when a message is acknowledged, and its event has not come, has nothing left to send. */
async function isGoneBeforeItsEvent(stage: Stage, page: Page): Promise<void> {
  await page.route('**/json/events?*', () => {});
  await page.reload();
  const texts = [
    ['Acknowledged at once.', false],
    ['Saved, and acknowledged.', true],
  ] as const;
  for (const [text, isSavedBefore] of texts) {
    await inSidebar(page, '#general').click();
    await page.getByLabel('Topic in general').fill('acknowledged');
    const isSaved = page.waitForResponse('**/json/drafts');
    await field(page).fill(text);
    if (isSavedBefore) await isSaved;
    await field(page).press('Control+Enter');
    await page.locator('article.pending.sent', { hasText: text }).waitFor();
    assert.equal(await page.getByText('Sending…').count(), 0);
    await page.reload();
    await inSidebar(page, '#general').click();
    await page.locator('article[id^=message-]', { hasText: text }).waitFor();
    assert.equal(await field(page).inputValue(), '');
    await untilNoDrafts(askAs(stage, 'Carol Member'));
  }
  await page.unroute('**/json/events?*');
  await show(page, 'drafts');
  await page.getByText('You have no drafts.').waitFor();
  stage.saw('a message that was acknowledged is no draft any more, whenever its event comes');
}

/** Drags a file over an element and drops it there. Returns whether the page would leave it to the browser. */
const drop = (target: Locator, name: string) =>
  target.evaluate((element, fileName) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['Some words.'], fileName, { type: 'text/plain' }));
    const events = ['dragenter', 'dragover', 'drop'].map(
      (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
    );
    return events.map((event) => element.dispatchEvent(event)).slice(1);
  }, name);

async function acceptsDroppedFiles(stage: Stage): Promise<void> {
  await using carol = await stage.open('Carol Member');
  const { page } = carol;
  await inSidebar(page, '#general').click();
  await page.getByLabel('Topic in general').fill('dropped');
  const isUnclaimed = await drop(page.getByRole('region', { name: 'Messages' }), 'onto-the-list.txt');
  assert.deepEqual(isUnclaimed, [false, false]);
  await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('](/user_uploads/'));
  assert.match(await field(page).inputValue(), /^\[onto-the-list\.txt\]\(\/user_uploads\/\S+\)\n$/);
  await field(page).fill('');
  await drop(field(page), 'onto-the-field.txt');
  await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('](/user_uploads/'));
  await field(page).fill('');
  await show(page, 'inbox');
  await drop(page.getByRole('main'), 'onto-the-inbox.txt');
  await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('onto-the-inbox'));
  assert.equal(await page.getByText('Drop files here').count(), 0);
  await assertSound(carol, 'dropped files');
  await page.getByRole('button', { name: 'Formatting' }).click();
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await page.getByRole('button', { name: 'Formatting' }).click();
  stage.saw('files that are dropped anywhere on the page are attached to what one writes');
}

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

import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { type Area, type Stage, assertSound, said } from './area.ts';
import { askAs, channelId, say } from './as-user.ts';
import type { Watched } from './browser.ts';
import { fillTopic } from './fill-topic.ts';
import { checkOpening } from './opening.ts';
import { show } from './settle.ts';

interface Reading {
  stage: Stage;
  alice: Watched;
  page: Page;
  /** The fragment of the channel "general". */
  general: string;
}

/** How messages look to their reader, and what the organization and the reader have set about them. */
export const reading: Area = {
  name: 'reading',
  async check(stage) {
    await prepare(stage);
    await using alice = await stage.open('Alice Member');
    const { page } = alice;
    const id = await channelId(askAs(stage, 'Bob Member'), 'general');
    const reading = { stage, alice, page, general: `narrow/channel/${id}-general` };
    await checkMentions(reading);
    await checkOpening(stage, page, reading.general);
    await checkSize(reading);
    await checkMuted(reading);
    await checkOrganization(reading);
    await checkReport(reading);
    await checkDates(reading);
    await checkOperators(reading);
    await checkPrinting(reading);
    await askAs(stage, 'Alice Member').post('/mark_all_as_read');
  },
};

async function prepare(stage: Stage): Promise<void> {
  const olivia = askAs(stage, 'Olivia Owner');
  await olivia.post('/user_groups/create', {
    name: 'readers',
    description: '',
    members: [stage.demos.demo('Alice Member').user_id],
  });
  await olivia.post('/realm/playgrounds', {
    name: 'Sandbox',
    pygments_language: 'Python',
    url_template: 'https://sandbox.example/{?code}',
  });
  await olivia.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'moderation' }],
    invite_only: true,
  });
  const moderation_request_channel_id = await channelId(olivia, 'moderation');
  await olivia.patch('/realm', {
    moderation_request_channel_id,
    video_chat_provider: 1,
    jitsi_server_url: '"https://calls.example"',
  });
}

const groundOf = (page: Page, text: string) =>
  page
    .locator('article')
    .filter({ hasText: text })
    .evaluate((article) => getComputedStyle(article).backgroundColor);

async function checkMentions({ stage, alice, page, general }: Reading): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  await say(bob, 'general', 'mentions', 'Said to nobody.');
  await say(bob, 'general', 'mentions', '@**Alice Member** is meant by name.');
  await say(bob, 'general', 'mentions', '@*readers* are meant as a group.');
  await say(bob, 'general', 'mentions', '@**Carol Member** is somebody else.');
  await show(page, `${general}/topic/mentions`);
  await said(page, 'is somebody else').waitFor();
  await page.mouse.move(0, 0);
  const [nobody, name, group, other] = await Promise.all(
    ['Said to nobody', 'by name', 'as a group', 'somebody else'].map((text) => groundOf(page, text)),
  );
  assert.equal(other, nobody);
  assert.equal(new Set([nobody, name, group]).size, 3, `${nobody}, ${name}, ${group}`);
  await assertSound(alice, 'mentions');
  stage.saw('messages to the reader, to their group and to others have grounds of their own');
}

const sizeOf = (page: Page) =>
  page
    .locator('article .rendered')
    .first()
    .evaluate((content) => {
      const { fontSize, lineHeight, maxWidth } = getComputedStyle(content);
      const body = content.closest('.message-body');
      return {
        size: Number.parseFloat(fontSize),
        line: Number.parseFloat(lineHeight) / Number.parseFloat(fontSize),
        width: body ? getComputedStyle(body).maxWidth : maxWidth,
      };
    });

async function checkSize({ stage, alice, page, general }: Reading): Promise<void> {
  const before = await sizeOf(page);
  await show(page, 'settings/display');
  const saved = () => page.waitForResponse((response) => response.url().endsWith('/json/settings'));
  for (const [label, choice] of [
    ['Message text size', 'Very large'],
    ['Space between lines', 'Airy'],
  ] as const) {
    const isSaved = saved();
    await page.getByLabel(label).selectOption(choice);
    await isSaved;
  }
  const isSaved = saved();
  await page.getByLabel('Use the full width of the window').check();
  await isSaved;
  await show(page, `${general}/topic/mentions`);
  await page.reload();
  await said(page, 'is somebody else').waitFor();
  await page.waitForFunction(() => document.documentElement.dataset['width'] === 'fluid');
  const after = await sizeOf(page);
  assert.ok(Math.abs(after.size / before.size - 1.25) < 0.01, `${before.size}, then ${after.size}`);
  assert.ok(after.line > before.line * 1.1, `${before.line}, then ${after.line}`);
  assert.equal(after.width, '100%');
  await assertSound(alice, 'large messages');
  const settings = { web_font_size_px: 16, web_line_height_percent: 140, fluid_layout_width: false };
  await askAs(stage, 'Alice Member').patch('/settings', settings);
  await page.waitForFunction(() => document.documentElement.dataset['width'] === undefined);
  assert.deepEqual(await sizeOf(page), before);
  stage.saw('the size of messages, the space between lines and their width are as set, at once');
}

async function checkMuted({ stage, alice, page, general }: Reading): Promise<void> {
  await say(askAs(stage, 'Carol Member'), 'general', 'muted', 'Something tiresome');
  await show(page, `${general}/topic/muted`);
  await said(page, 'Something tiresome').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Carol Member', exact: true }).click();
  const card = page.getByRole('dialog', { name: 'Carol Member' });
  await card.getByRole('button', { name: 'Mute this person' }).click();
  await card.getByRole('button', { name: 'Unmute this person' }).waitFor();
  await page.keyboard.press('Escape');
  await said(page, 'Something tiresome').waitFor({ state: 'detached' });
  await page.getByText('Muted person', { exact: true }).waitFor();
  await assertSound(alice, 'a hidden message');
  await page.getByRole('button', { name: 'Show message from a muted person' }).click();
  await said(page, 'Something tiresome').waitFor();
  const muted = stage.demos.demo('Carol Member').user_id;
  await askAs(stage, 'Alice Member').delete(`/users/me/muted_users/${muted}`);
  await page.getByText('Muted person', { exact: true }).waitFor({ state: 'detached' });
  stage.saw('what muted people write is hidden until one asks for it');
}

async function checkOrganization({ stage, alice, page, general }: Reading): Promise<void> {
  await say(askAs(stage, 'Bob Member'), 'general', 'code', '```python\nprint("a b")\n```');
  await show(page, `${general}/topic/code`);
  const link = page.getByRole('link', { name: 'Open in Sandbox' });
  await link.waitFor();
  assert.equal(await link.getAttribute('href'), 'https://sandbox.example/?code=print(%22a%20b%22)%0A');
  const field = page.getByLabel('Message', { exact: true });
  await field.fill('Come: ');
  await page.getByRole('button', { name: 'Add a call' }).click();
  assert.match(
    await field.inputValue(),
    /^Come: \[Join video call\.\]\(https:\/\/calls\.example\/\w{8,}\)\n$/,
  );
  await field.fill('');
  await assertSound(alice, 'code and calls');
  stage.saw('code leads to a playground of the organization, and a button adds a call');
}

async function checkReport({ stage, alice, page }: Reading): Promise<void> {
  await page.getByRole('article').last().focus();
  await page.keyboard.press('i');
  await page.getByRole('menuitem', { name: 'Report message…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Report message' });
  await dialog.getByLabel('What’s wrong with it?').selectOption('Something else');
  await dialog.getByRole('button', { name: 'Report', exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  assert.match(alice.problems.splice(0).join(), /\b400\b/, 'the refusal, and nothing else');
  await assertSound(alice, 'a report');
  await dialog.getByLabel(/^Explanation/).fill('It prints.');
  await dialog.getByRole('button', { name: 'Report', exact: true }).click();
  await page.getByText('The moderators have been notified.').waitFor();
  type Reply = { messages: { content: string }[] };
  const { messages } = await askAs(stage, 'Olivia Owner').get<Reply>('/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: 'moderation' }],
  });
  assert.match(messages[0]?.content ?? '', /It prints\./);
  stage.saw('a message is reported to the moderators, with a reason');
}

/** What is on the page at the moment at which it is printed. */
interface Printed {
  messages: number;
  first: string | null;
  notes: string[];
}

const printedOn = (page: Page) =>
  page.waitForFunction(() => (globalThis as unknown as { printed?: Printed }).printed);

async function checkPrinting({ stage, page, general }: Reading): Promise<void> {
  const first = await say(askAs(stage, 'Bob Member'), 'general', 'minutes', 'The first.');
  await fillTopic(stage.demos, first, 1200);
  // What prints waits for the reader, so that it is replaced.
  await page.evaluate(() => {
    globalThis.print = () => {
      const shown = [...document.querySelectorAll<HTMLElement>('.print-note')];
      const articles = document.querySelectorAll('.message-scroller article');
      Object.assign(globalThis, {
        printed: {
          messages: articles.length,
          first: articles[0]?.querySelector('.rendered')?.textContent ?? null,
          notes: shown.map(({ textContent }) => textContent),
        },
      });
    };
  });
  await show(page, `${general}/topic/minutes`);
  await said(page, 'Message 1200').waitFor();
  await page.keyboard.press('Control+p');
  const long = await (await printedOn(page)).jsonValue();
  assert.ok(long && long.messages >= 1000 && long.messages < 1201, `${long?.messages} messages`);
  assert.deepEqual(long.notes, ['There are earlier messages, which are not printed.']);
  await page.waitForFunction(() => document.querySelectorAll('article').length < 200);

  await page.evaluate(() => Object.assign(globalThis, { printed: undefined }));
  await show(page, `${general}/topic/mentions`);
  await said(page, 'is somebody else').waitFor();
  await page.keyboard.press('Control+p');
  const short = await (await printedOn(page)).jsonValue();
  assert.deepEqual(short, { messages: 4, first: 'Said to nobody.', notes: [] });

  await show(page, `${general}/topic/minutes`);
  await said(page, 'Message 1200').waitFor();
  const few = await page.getByRole('article').count();
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => globalThis.dispatchEvent(new Event('beforeprint')));
  assert.ok((await page.locator('.message-scroller article').count()) > few, 'all that is loaded');
  const tops = await page
    .locator('.message-scroller > ol > li')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));
  assert.deepEqual(
    tops,
    tops.toSorted((a, b) => a - b),
    'one below the other',
  );
  await page.evaluate(() => globalThis.dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: null });
  stage.saw('a conversation is printed as a whole, up to a thousand messages, and says if there are more');
}

const today = () => {
  const at = new Date();
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
};

async function checkDates({ stage, alice, page, general }: Reading): Promise<void> {
  await show(page, `${general}/topic/mentions`);
  await page.getByRole('button', { name: 'Jump to a date' }).click();
  const dialog = page.getByRole('dialog', { name: 'Jump to a date' });
  await assertSound(alice, 'the choice of a date');
  await dialog.getByLabel('Date').fill('2020-01-01');
  await dialog.getByRole('button', { name: 'Show messages' }).click();
  await page.waitForURL(/topic\/mentions\/near\/\d+/);
  await page.locator('article.selected').filter({ hasText: 'Said to nobody.' }).waitFor();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Channel, topic/ }).fill('Jump to a date');
  await page.getByRole('option', { name: 'Jump to a date Command' }).click();
  await dialog.getByLabel('Date').waitFor();
  await page.keyboard.press('Escape');
  stage.saw('one jumps to a date from the heading and from the palette');
}

async function checkOperators({ stage, alice, page, general }: Reading): Promise<void> {
  const search = async (text: string) => {
    const field = page.getByRole('combobox', { name: 'Search' });
    await show(page, 'inbox');
    await field.fill(text);
    await field.press('Enter');
  };
  await search(`channel:general topic:mentions date:${today()}`);
  await page.waitForURL(/topic\/mentions\/near\/\d+/);
  await page.locator('article.selected').filter({ hasText: 'Said to nobody.' }).waitFor();
  const carol = stage.demos.demo('Carol Member').user_id;
  await search(`mentions:${carol}`);
  await said(page, 'is somebody else').waitFor();
  assert.equal(await said(page, 'by name').isVisible(), false);
  await search('mentions:me');
  await said(page, 'by name').waitFor();
  await said(page, 'as a group').waitFor();
  assert.equal(await said(page, 'is somebody else').isVisible(), false);
  const id = await page.locator('article').filter({ hasText: 'by name' }).getAttribute('id');
  await search(`channel:general near:${id?.replace('message-', '')}`);
  await page.locator(`#${id}.selected`).waitFor();
  await show(page, general);
  await assertSound(alice, 'searches');
  stage.saw('searches begin at a day or at a message, and find who is mentioned');
}

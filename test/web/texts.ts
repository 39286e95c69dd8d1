import assert from 'node:assert/strict';

import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';

import { picture } from '../support/http.ts';
import { type Area, type Stage, assertSound, inSidebar, said } from './area.ts';
import { askAs, channelId, say } from './as-user.ts';
import type { Watched } from './browser.ts';
import { show } from './settle.ts';

const shown = (text: Locator) => text.evaluate((element) => element.textContent);
const sideOf = (element: Locator) => element.evaluate((one) => getComputedStyle(one).direction);

/** What is written looks like what is meant: emoji, numbers of lists, the direction of letters. */
export const texts: Area = {
  name: 'texts',
  async check(stage) {
    const bob = askAs(stage, 'Bob Member');
    const channel = await channelId(bob, 'general');
    await using alice = await stage.open('Alice Member');
    const topic = (name: string) => `narrow/channel/${channel}-general/topic/${name}`;
    await drawsEmoji(stage, alice.page, topic('drawn'));
    await numbersLists(stage, alice.page, topic('numbered'));
    await runsBothWays(stage, alice.page, topic('.D7.A9.D7.9C.D7.95.D7.9D'));
    await describes(stage, alice.page, channel);
    await drawsReactions(stage, alice.page, topic('reacted'));
    await showsWhatFailed(stage, alice, topic('failing'));
    await sizesPictures(stage, alice.page, topic('sized'));
    await assertSound(alice, 'texts');
  },
};

async function drawsEmoji(stage: Stage, page: Page, topic: string): Promise<void> {
  const olivia = askAs(stage, 'Olivia Owner');
  const file = new File([new Uint8Array(picture)], 'dot.png', { type: 'image/png' });
  await olivia.upload('/realm/emoji/dot', file);
  const id = await say(olivia, 'general', 'drawn', ':tada: :heart: 🚀 :dot: :zulip: :nothing_like_it:');
  await show(page, topic);
  const message = said(page, ':nothing_like_it:');
  await message.waitFor();
  assert.equal(await shown(message.getByRole('img', { name: 'tada' })), '🎉');
  assert.equal(await shown(message.getByRole('img', { name: 'heart' })), '❤️');
  assert.equal(await shown(message.getByRole('img', { name: 'rocket' })), '🚀');
  await message.getByRole('img', { name: ':dot:' }).waitFor();
  await message.getByRole('img', { name: ':zulip:' }).waitFor();
  for (const name of [':dot:', ':zulip:']) {
    await page.waitForFunction(
      (alt) => [...document.images].some((one) => one.alt === alt && one.naturalWidth > 0),
      name,
    );
  }
  stage.saw('emoji in messages are drawn, and keep their names');

  await page.getByLabel('Message', { exact: true }).fill('Soon :rocket:');
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  assert.equal(await shown(preview.getByRole('img', { name: 'rocket' })), '🚀');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByLabel('Message', { exact: true }).fill('');
  await olivia.patch(`/messages/${id}`, { content: 'No :tada: more.' });
  await said(page, 'No 🎉 more.').getByRole('button', { name: 'Edited' }).click();
  const history = page.getByRole('dialog', { name: 'Edit history' });
  await history.getByRole('img', { name: 'tada' }).first().waitFor();
  for (const emoji of await history.getByRole('img', { name: 'tada' }).all())
    assert.equal(await shown(emoji), '🎉');
  await page.keyboard.press('Escape');
  stage.saw('so are those of previews and of what a message was before');
}

async function numbersLists(stage: Stage, page: Page, topic: string): Promise<void> {
  await say(askAs(stage, 'Bob Member'), 'general', 'numbered', '4. four\n5. five\n  1. inner\n  2. other');
  await show(page, topic);
  const message = said(page, 'inner');
  await message.waitFor();
  for (const list of await message.locator('ol').all()) {
    const look = await list.evaluate((one) => {
      const { listStyleType, paddingInlineStart } = getComputedStyle(one);
      return { listStyleType, hasRoom: Number.parseFloat(paddingInlineStart) >= 16 };
    });
    assert.deepEqual(look, { listStyleType: 'decimal', hasRoom: true });
  }
  assert.equal(await message.locator('ol').count(), 2);
  assert.equal(await message.locator('ol').first().getAttribute('start'), '4');
  stage.saw('numbered lists have their numbers, from whichever they begin');
}

async function runsBothWays(stage: Stage, page: Page, topic: string): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  await say(bob, 'general', 'שלום', '> מה שלומך?\n\nHello there.\n\n```\nprint(1)\n```\n\nשלום `code`');
  await show(page, topic);
  const message = said(page, 'Hello there.');
  await message.waitFor();
  assert.equal(await sideOf(message.locator('.rendered')), 'rtl');
  assert.equal(await sideOf(message.locator('pre')), 'ltr');
  const right = await message.getByText('מה שלומך?').evaluate((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return one.getBoundingClientRect().right - range.getBoundingClientRect().right;
  });
  assert.ok(right < 2, 'a paragraph in Hebrew begins at the right');
  const left = await message.getByText('Hello there.').evaluate((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect().left - one.getBoundingClientRect().left;
  });
  assert.ok(left < 2, 'a paragraph in English begins at the left');
  const inSidebar = page.getByRole('navigation').getByText('שלום', { exact: true });
  assert.equal(await sideOf(inSidebar), 'rtl');
  const field = page.getByLabel('Message', { exact: true });
  await field.fill('שלום');
  assert.equal(await sideOf(field), 'rtl');
  await field.fill('hello');
  assert.equal(await sideOf(field), 'ltr');
  await field.fill('טיוטה');
  await show(page, 'drafts');
  assert.equal(await sideOf(page.getByRole('main').getByText('טיוטה', { exact: true })), 'rtl');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('You have no drafts.').waitFor();
  stage.saw('letters run in their own direction, in messages, names, drafts and the field');
}

async function describes(stage: Stage, page: Page, channel: number): Promise<void> {
  const olivia = askAs(stage, 'Olivia Owner');
  const description = 'For **everyone**: [rules](https://example.com/rules) & `code`';
  const plain = 'For everyone: rules & code';
  const before = await olivia.get<{ stream: { description: string } }>(`/streams/${channel}`);
  await olivia.patch(`/streams/${channel}`, { description });
  try {
    await show(page, `narrow/channel/${channel}-general`);
    const header = page.locator('.view-header');
    await header.getByRole('link', { name: 'rules' }).waitFor();
    assert.equal(await header.locator('strong').innerText(), 'everyone');
    assert.equal((await header.innerText()).includes('**'), false);
    await page.getByLabel('Message', { exact: true }).fill('');
    await page.getByLabel('Message', { exact: true }).pressSequentially('#gener');
    await page.getByRole('option', { name: '#general' }).getByText(plain, { exact: true }).waitFor();
    await page.getByLabel('Message', { exact: true }).fill('');
    await page.getByRole('combobox', { name: 'Search' }).fill('channel:gener');
    await page.getByRole('option', { name: 'channel: general' }).getByText(plain, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await inSidebar(page, '#general').focus();
  } finally {
    await olivia.patch(`/streams/${channel}`, { description: before.stream.description });
  }
  stage.saw('descriptions of channels are read as they are meant, also where one chooses a channel');
}

async function drawsReactions(stage: Stage, page: Page, topic: string): Promise<void> {
  const people = ['Alice Member', 'Bob Member', 'Carol Member'].map((name) => askAs(stage, name));
  const [alice, bob, carol] = people;
  assert.ok(alice && bob && carol);
  await alice.patch('/settings', { display_emoji_reaction_users: true });
  const many = await say(bob, 'general', 'reacted', 'Four reactions.');
  const few = await say(bob, 'general', 'reacted', 'Three reactions.');
  for (const one of [alice, bob, carol])
    await one.post(`/messages/${many}/reactions`, { emoji_name: 'tada' });
  await bob.post(`/messages/${many}/reactions`, { emoji_name: 'heart' });
  for (const one of [bob, carol]) await one.post(`/messages/${few}/reactions`, { emoji_name: 'tada' });
  await bob.post(`/messages/${few}/reactions`, { emoji_name: 'heart' });
  await show(page, topic);
  const reactions = (text: string) => said(page, text).getByRole('group', { name: 'Reactions' });
  const labels = async (text: string) =>
    (await reactions(text).getByRole('button').allInnerTexts()).map((label) => label.replaceAll(/\s+/g, ' '));
  await said(page, 'Three reactions.').waitFor();
  assert.deepEqual(await labels('Four reactions.'), ['🎉 3', '❤️ 1', '+']);
  assert.deepEqual(await labels('Three reactions.'), ['🎉 Bob Member, Carol Member', '❤️ Bob Member', '+']);
  const fonts = await reactions('Four reactions.')
    .locator('.glyph')
    .first()
    .evaluate((one) => getComputedStyle(one).fontFamily);
  assert.match(fonts, /^"?Apple Color Emoji/);
  stage.saw('reactions have names where a message has three or fewer in all, and are drawn in colors');

  await say(bob, 'general', 'reacted', 'Said with :tada:.');
  await said(page, 'Said with 🎉.').waitFor();
  await alice.patch('/settings', { emojiset: 'text' });
  await said(page, 'Said with :tada:.').waitFor();
  await reactions('Four reactions.').getByText(':heart: 1').waitFor();
  await alice.patch('/settings', { emojiset: 'google' });
  await said(page, 'Said with 🎉.').waitFor();
  assert.deepEqual(await labels('Four reactions.'), ['🎉 3', '❤️ 1', '+']);
  stage.saw('whoever wants emoji as text reads their names, at once');
}

const wide = () =>
  sharp({ create: { width: 960, height: 540, channels: 3, background: '#224' } })
    .png()
    .toBuffer();

async function sizesPictures(stage: Stage, page: Page, topic: string): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  const file = new File([new Uint8Array(await wide())], 'sky.png', { type: 'image/png' });
  const { url } = await bob.upload<{ url: string }>('/user_uploads', file);
  await say(bob, 'general', 'sized', `@**Alice Member** and @**Carol Member**: [sky.png](${url})`);
  await show(page, topic);
  const message = said(page, 'sky.png');
  const sky = message.locator('.message_inline_image img');
  await sky.waitFor();
  const size = await sky.evaluate((one) => [one.getAttribute('width'), one.getAttribute('height')]);
  assert.deepEqual(size, ['420', '236']);
  stage.saw('a picture has its size before it has come, and takes 420 pixels at most');
  const isOwn = (name: string) =>
    message.getByText(name, { exact: true }).evaluate((one) => one.classList.contains('is-own'));
  assert.deepEqual([await isOwn('@Alice Member'), await isOwn('@Carol Member')], [true, false]);
  stage.saw('mentions of the reader look different from those of others');
}

async function showsWhatFailed(stage: Stage, { page, problems }: Watched, topic: string): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  await page.route('https://pictures.example.com/lost.png', (route) => route.abort());
  await say(bob, 'general', 'failing', 'Not for @_**Alice Member** alone.');
  await say(bob, 'general', 'failing', 'See https://pictures.example.com/lost.png');
  await show(page, topic);
  const mention = page.locator('.user-mention.silent');
  await mention.waitFor();
  assert.equal(await mention.evaluate((one) => getComputedStyle(one).paddingInline), '0px');
  const message = said(page, 'pictures.example.com');
  await message.getByText('Couldn’t load lost.png').waitFor();
  assert.equal(await message.locator('.rendered img').filter({ visible: true }).count(), 0);
  const link = message.getByRole('link', { name: 'Couldn’t load lost.png' });
  assert.equal(await link.getAttribute('href'), 'https://pictures.example.com/lost.png');
  problems.splice(0, problems.length, ...problems.filter((one) => !/ERR_FAILED/.test(one)));
  stage.saw('silent mentions stand in their line, and a picture that does not come says so');
}

import assert from 'node:assert/strict';

import { type Area, type Stage, assertSound } from './area.ts';
import type { Watched } from './browser.ts';
import { show } from './settle.ts';
import { isIn, setLanguage, textsOf } from './translated.ts';

/** The client in other languages: before sign-in that of the browser, then that of the person's setting. */
export const languages: Area = {
  name: 'languages',
  async check(stage) {
    await checkSignIn(stage);
    await using bob = await stage.open('Bob Member');
    await isIn(bob.page, 'en');
    await checkChoice(stage, bob);
    for (const tag of ['fr', 'es', 'ja']) await checkLanguage(stage, bob, tag);
    await checkRightToLeft(stage, bob);
    await setLanguage(stage, 'Bob Member', 'en');
    await isIn(bob.page, 'en');
    await checkMissingFile(stage);
  },
};

async function checkSignIn(stage: Stage): Promise<void> {
  await using stranger = await stage.open(null, { locale: 'de-AT' });
  const german = await textsOf('de');
  await isIn(stranger.page, 'de');
  await stranger.page.getByRole('button', { name: german('common.logIn'), exact: true }).waitFor();
  await assertSound(stranger, 'the German sign-in');
  stage.saw('a stranger is asked to sign in in the language of their browser');
}

async function checkChoice(stage: Stage, { page }: Watched): Promise<void> {
  const [english, german] = [await textsOf('en'), await textsOf('de')];
  await show(page, 'settings/account');
  await page.getByLabel(english('account.language')).selectOption('Deutsch');
  const form = page.locator('form').filter({ has: page.locator('select[name="language"]') });
  await form.getByRole('button', { name: english('common.save') }).click();
  await isIn(page, 'de');
  await page.getByLabel(german('account.language')).waitFor();
  await page.reload();
  await page.getByLabel(german('account.language')).waitFor();
  stage.saw('whoever chooses a language has it at once, and the next time');
}

async function checkLanguage(stage: Stage, bob: Watched, tag: string): Promise<void> {
  const texts = await textsOf(tag);
  await setLanguage(stage, 'Bob Member', tag);
  await isIn(bob.page, tag);
  await show(bob.page, 'inbox');
  await bob.page
    .getByRole('link', { name: texts('view.inbox') })
    .first()
    .waitFor();
  await assertSound(bob, `the inbox in ${tag}`);
  stage.saw(`a setting that is changed elsewhere counts at once: ${tag}`);
}

async function checkRightToLeft(stage: Stage, bob: Watched): Promise<void> {
  const { page } = bob;
  await checkLanguage(stage, bob, 'ar');
  const arabic = await textsOf('ar');
  const sidebar = page.getByRole('navigation', { name: arabic('shell.conversations') });
  const [side, main] = [await sidebar.boundingBox(), await page.getByRole('main').boundingBox()];
  assert.ok(side && main && side.x > main.x, 'the sidebar is on the right');
  for (const view of ['inbox', 'recent', 'drafts', 'settings/account', 'channels']) {
    await show(page, view);
    await assertSound(bob, `${view} in Arabic`);
    const [wide, seen] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    assert.equal(wide, seen, `${view} is no wider than the window`);
  }
  stage.saw('Arabic is mirrored, and no page is wider than its window');
  const field = page.getByRole('banner').getByRole('combobox');
  const directions: string[] = [];
  for (const text of ['', 'spectrum', 'طيف']) {
    await field.fill(text);
    directions.push(await field.evaluate((input) => getComputedStyle(input).direction));
  }
  await field.fill('');
  assert.deepEqual(directions, ['rtl', 'ltr', 'rtl']);
  stage.saw('a field runs as what is written in it does, and as the page while it is empty');
}

async function checkMissingFile(stage: Stage): Promise<void> {
  await using stranger = await stage.open(null);
  const { page } = stranger;
  let loads = 0;
  page.on('framenavigated', () => (loads += 1));
  await page.evaluate(() => localStorage.setItem('parley.language', 'fr'));
  await page.route(/\/fr-[^/]*\.js/, (route) => route.abort());
  await page.reload();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  assert.equal(loads, 1);
  stage.saw('without the file of its language the page is in English');
}

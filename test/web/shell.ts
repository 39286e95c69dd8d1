import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { type Area, type Stage, assertSound, inSidebar } from './area.ts';

const theme = () => document.documentElement.dataset['theme'] ?? 'system';
const background = () => getComputedStyle(document.body).backgroundColor;

/** Sign in, the shell, its keys, its colors, on a phone, and sign out. */
export const shell: Area = {
  name: 'shell',
  async check(stage) {
    const { open, saw, demos } = stage;
    await using visitor = await open(null);
    await visitor.page.getByRole('heading', { name: 'Demo' }).waitFor();
    await assertSound(visitor, 'the sign-in page');
    const { email } = demos.demo('Alice Member');
    await visitor.page.getByLabel('Email address').fill(email);
    await visitor.page.getByLabel('Password').fill('wrong');
    await visitor.page.getByRole('button', { name: 'Log in' }).click();
    await visitor.page.getByText('The username or password is wrong.').waitFor();
    saw('a wrong password is refused where it is typed');

    await using alice = await open('Alice Member');
    const { page } = alice;
    await inSidebar(page, '#general').waitFor();
    await assertSound(alice, 'the shell');
    saw('whoever signs in sees their channels');

    await registersEarly(page);
    saw('the state is asked for once, before the program has come');

    await page.reload();
    await inSidebar(page, '#general').waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to main content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
    await page.keyboard.press('/');
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('type')), 'search');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await assertSound(alice, 'the keys');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('is:starred c');
    assert.equal(await page.getByRole('combobox', { name: 'Search' }).inputValue(), 'is:starred c');
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.keyboard.press('Escape');
    saw('keys lead to the messages, the search field and the list of keys, and back');

    await staysOnThePage(stage);

    const light = await page.evaluate(background);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByLabel('Theme').selectOption('Dark');
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
    await page.keyboard.press('Escape');
    assert.notEqual(await page.evaluate(background), light);
    await assertSound(alice, 'the shell in dark');
    await using other = await open('Alice Member');
    assert.equal(await other.page.evaluate(theme), 'dark');
    await other.page.getByRole('button', { name: 'Menu' }).click();
    await other.page.getByLabel('Theme').selectOption('Automatic');
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === undefined);
    saw('the choice of colors is the account’s, in all its browsers at once');

    await using phone = await open('Bob Member', { viewport: { width: 390, height: 844 }, hasTouch: true });
    const general = inSidebar(phone.page, '#general');
    assert.equal(await general.isVisible(), false);
    await phone.page.getByRole('button', { name: 'Conversations', exact: true }).click();
    await general.click();
    await phone.page.getByRole('heading', { name: '#general', exact: true }).waitFor();
    await general.waitFor({ state: 'hidden' });
    const width = await phone.page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(width, 390, 'nothing is wider than the phone');
    await assertSound(phone, 'the shell on a phone');
    saw('on a phone the sidebar is a drawer');

    await logOutAfterSearch(page);
    saw('whoever logs out is nobody, and what they searched for is forgotten');
  },
};

/** Somebody who has searched for something logs out: they are nobody, and it is forgotten. */
async function logOutAfterSearch(page: Page): Promise<void> {
  const searches = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('parley-searches')));
  await page.getByRole('combobox', { name: 'Search' }).fill('secret plans');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Search' }).waitFor();
  assert.equal((await searches()).length, 1);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Password').waitFor();
  assert.deepEqual(await searches(), []);
  const status = await page.evaluate(async () => (await fetch('/json/users/me')).status);
  assert.equal(status, 401);
}

/** However many people and channels there are, columns scroll, and the page does not. */
async function staysOnThePage(stage: Stage): Promise<void> {
  await using low = await stage.open('Alice Member', { viewport: { width: 1280, height: 300 } });
  const { page } = low;
  const isInPlace = async (after: string) => {
    await page.evaluate(() => new Promise(requestAnimationFrame));
    const { height, top } = await page.evaluate(() => ({
      height: document.documentElement.scrollHeight - innerHeight,
      top: document.querySelector('.top')?.getBoundingClientRect().top,
    }));
    assert.deepEqual({ height, top }, { height: 0, top: 0 }, after);
  };
  await inSidebar(page, '#general').click();
  await isInPlace('a channel is shown');
  await page.mouse.move(640, 10);
  await page.mouse.wheel(0, 2000);
  await isInPlace('a wheel over the header');
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('Space');
  await page.keyboard.press('End');
  await isInPlace('keys that scroll');
  await page.evaluate(() =>
    document.querySelectorAll('.visually-hidden').forEach((one) => one.scrollIntoView()),
  );
  await isInPlace('what only screen readers see is brought into view');
  stage.saw('columns scroll, and the page never does');
}

/** Loads the page while the program is held back until the page has registered. */
async function registersEarly(page: Page): Promise<void> {
  const registrations: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/json/register')) registrations.push(request.url());
  });
  const program = /\/static\/web\/app-.*\.js$/;
  const registered = page.waitForRequest(/\/json\/register$/);
  await page.route(program, async (route) => {
    await registered;
    await route.continue();
  });
  await page.reload();
  await inSidebar(page, '#general').waitFor();
  await page.unroute(program);
  assert.equal(registrations.length, 1);
}

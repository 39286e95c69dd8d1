import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { type Area, type Stage, assertSound, inSidebar, signIn } from './area.ts';
import { askAs, untilNoDrafts } from './as-user.ts';

const field = (page: Page) => page.getByLabel('Message', { exact: true });

/** A session ends under somebody who writes: it is said, and what was typed is there after signing in again. */
export const ended: Area = {
  name: 'ended',
  async check(stage) {
    await ends(stage, 'Carol Member', async (page) => {
      await page.context().clearCookies();
      await page.keyboard.press('Control+Enter');
    });
    stage.saw('a session that has expired is over at once, and nothing that was typed is lost');
    await ends(stage, 'Carol Member', async (page) => {
      await page.evaluate(async () => {
        const token = /(?:^|; )(?:__Host-)?csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? '';
        await fetch('/logout/', { method: 'POST', headers: { 'X-CSRFToken': token } });
      });
    });
    stage.saw('so is one that was ended elsewhere');
    await endsOthers(stage);
    await isDeactivated(stage);
  },
};

async function ends(stage: Stage, name: string, end: (page: Page) => Promise<void>): Promise<void> {
  await using somebody = await stage.open(name);
  const { page } = somebody;
  await inSidebar(page, '#general').click();
  await page.getByLabel('Topic in general').fill('unfinished');
  await field(page).fill('A long thought that');
  await end(page);
  await page.getByText('Your session has ended.').waitFor();
  assert.equal(await page.title(), 'Demo');
  await assertSound(somebody, 'a session that has ended');
  await signIn(stage, somebody, name);
  await inSidebar(page, '#general').waitFor();
  await page.keyboard.press('d');
  await page.getByRole('main').getByText('A long thought that').waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('You have no drafts.').waitFor();
  await untilNoDrafts(askAs(stage, name));
  await assertSound(somebody, 'a session that was begun again');
}

/** Somebody who is logged in three times ends one of the others, and then all of them. */
async function endsOthers(stage: Stage): Promise<void> {
  const name = 'Carol Member';
  await using here = await stage.open(name);
  await using one = await stage.open(name);
  await using other = await stage.open(name);
  const { page } = here;
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${stage.address}/#settings/account`);
  const list = page.getByRole('group', { name: 'Where you’re logged in' });
  await list.getByText('This browser').waitFor();
  const end = list.getByRole('button', { name: /^Log out of Chrome/ });
  const before = await end.count();
  await end.first().click();
  await page.waitForFunction(
    (count) => document.querySelectorAll('[aria-label^="Log out of Chrome"]').length < count,
    before,
  );
  const left = other.page.getByText('Your session has ended.');
  await left.waitFor();
  assert.equal(await one.page.getByText('Your session has ended.').isVisible(), false);
  await assertSound(here, 'where somebody is logged in');

  await list.getByRole('button', { name: 'Log out of all other browsers' }).click();
  await one.page.getByText('Your session has ended.').waitFor();
  await end.first().waitFor({ state: 'detached' });
  await list.getByText('This browser').waitFor();
  stage.saw('whoever is logged in elsewhere ends that from here');
}

async function isDeactivated(stage: Stage): Promise<void> {
  await using gus = await stage.open('Gus Guest');
  const olivia = askAs(stage, 'Olivia Owner');
  const path = `/users/${stage.demos.demo('Gus Guest').user_id}`;
  await inSidebar(gus.page, '#general').waitFor();
  await olivia.delete(path);
  try {
    await gus.page.getByRole('alert').waitFor();
    assert.match((await gus.page.getByRole('alert').textContent()) ?? '', /deactivated|session has ended/);
    await gus.page.getByLabel('Password').waitFor();
    await assertSound(gus, 'an account that was deactivated');
  } finally {
    await olivia.post(`${path}/reactivate`);
  }
  stage.saw('whoever is deactivated is told so');
}

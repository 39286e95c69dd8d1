import assert from 'node:assert/strict';

import { type Area, assertSound } from './area.ts';

/** What one writes: completed, previewed, kept, sent; and what is done with it afterwards. */
export const write: Area = {
  name: 'write',
  async check({ open, saw }) {
    await using alice = await open('Alice Member');
    await using bob = await open('Bob Member');
    for (const { page } of [alice, bob]) {
      await page.getByRole('navigation').getByRole('link', { name: '#general' }).click();
      await page.getByRole('heading', { name: '#general' }).waitFor();
    }
    const { page } = alice;
    const text = page.getByLabel('Message', { exact: true });
    await page.getByLabel('Topic in general').fill('writing');
    await text.click();
    await text.pressSequentially('Hi @bob');
    await page.getByRole('option', { name: 'Bob Member' }).waitFor();
    await page.keyboard.press('Enter');
    await text.pressSequentially('see #gen');
    await page.getByRole('option', { name: '#general' }).waitFor();
    await page.keyboard.press('Tab');
    await text.pressSequentially(':tad');
    await page.getByRole('option', { name: ':tada:' }).waitFor();
    await assertSound(alice, 'suggestions');
    await page.keyboard.press('Enter');
    assert.equal(await text.inputValue(), 'Hi @**Bob Member** see #**general** :tada: ');
    saw('people, channels and emoji are completed while one writes');

    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('region', { name: 'Preview' }).getByText('@Bob Member').waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    saw('the server shows what a text will look like');

    await text.press('Control+Enter');
    await page.waitForFunction(() => document.querySelector('textarea')?.value === '');
    await bob.page.getByText('see #general').waitFor();
    saw('it is sent, and read at once');
    await assertSound(alice, 'the compose box');
  },
};

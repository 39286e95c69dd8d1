import assert from 'node:assert/strict';

import { type Area, assertSound, said } from './area.ts';
import { askAs, say } from './as-user.ts';

/** Whoever has no account looks around where the organization lets them. */
export const spectators: Area = {
  name: 'spectators',
  async check(stage) {
    const { open, saw, demos, address } = stage;
    const olivia = askAs(stage, 'Olivia Owner');
    await olivia.patch('/realm', { enable_spectator_access: 'true' });
    const subscribers = JSON.stringify([demos.demo('Olivia Owner').user_id]);
    await olivia.post('/channels/create', { name: 'open house', subscribers, is_web_public: 'true' });
    await say(olivia, 'open house', 'welcome', 'Come in.');
    try {
      await using visitor = await open(null);
      const { page } = visitor;
      await page.getByRole('button', { name: 'View without an account' }).click();
      await page.getByRole('navigation').getByText('open house').first().waitFor();
      await page.getByRole('navigation').getByText('open house').first().click();
      await said(page, 'Come in.').waitFor();
      assert.equal(await page.getByRole('complementary').count(), 0);
      assert.equal(await page.getByRole('button', { name: 'People' }).count(), 0);
      await assertSound(visitor, 'the shell of a spectator');
      saw('whoever has no account sees the channels that are open to the web');

      await said(page, 'Come in.').getByRole('button', { name: 'Olivia Owner' }).click();
      await page.getByRole('dialog', { name: 'Olivia Owner' }).waitFor();
      await assertSound(visitor, 'a profile that a spectator sees');
      await page.keyboard.press('Escape');
      await page.keyboard.press('I');
      await page.keyboard.press('t');
      assert.equal(await page.getByRole('heading', { name: /Inbox|Recent/ }).count(), 0);
      for (const view of ['settings', 'administration', 'inbox', 'recent']) {
        await page.goto(`${address}/#${view}`);
        await page.getByText('Log in to view this page.').waitFor();
      }
      await assertSound(visitor, 'a view of members');
      await page.getByRole('button', { name: 'Menu' }).click();
      assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0);
      await page.getByRole('button', { name: 'Log in', exact: true }).last().click();
      await page.getByLabel('Password').waitFor();
      saw('views of members ask a spectator to log in');
    } finally {
      await olivia.patch('/realm', { enable_spectator_access: 'false' });
    }
  },
};

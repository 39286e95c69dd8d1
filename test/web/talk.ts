import assert from 'node:assert/strict';

import { type Area, assertSound, inSidebar, said } from './area.ts';

/** One person writes, another reads it at once; the network goes and comes back. */
export const talk: Area = {
  name: 'talk',
  async check({ open, saw }) {
    await using alice = await open('Alice Member');
    await using bob = await open('Bob Member');
    for (const { page } of [alice, bob]) {
      await inSidebar(page, '#general').click();
      await page.getByRole('heading', { name: '#general', exact: true }).waitFor();
    }
    await alice.page.getByLabel('Topic in general').fill('lunch');
    await alice.page.getByLabel('Message', { exact: true }).fill('Who **comes** along?');
    await alice.page.keyboard.press('Control+Enter');
    await said(bob.page, 'Who comes along?').waitFor();
    await inSidebar(bob.page, 'lunch').click();
    await bob.page.getByRole('heading', { name: '#general › lunch' }).waitFor();
    saw('what one writes another reads at once');
    await assertSound(bob, 'a topic');

    await bob.page.context().setOffline(true);
    await bob.page.getByText('You’re offline.').waitFor();
    await alice.page.getByLabel('Message', { exact: true }).fill('At noon.');
    await alice.page.keyboard.press('Control+Enter');
    await said(alice.page, 'At noon.').waitFor();
    assert.equal(await said(bob.page, 'At noon.').isVisible(), false);
    await bob.page.context().setOffline(false);
    await said(bob.page, 'At noon.').waitFor();
    await bob.page.getByText('You’re offline.').waitFor({ state: 'detached' });
    saw('whoever was offline sees what they have missed');
  },
};

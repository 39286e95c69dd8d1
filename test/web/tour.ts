import assert from 'node:assert/strict';

import { type Area, assertSound, logIn } from './area.ts';

/** Whoever is here for the first time is shown what is where, once. */
export const tour: Area = {
  name: 'tour',
  async check(stage) {
    await using carol = await stage.open(null);
    await logIn(stage, carol, 'Carol Member');
    const { page } = carol;
    const card = page.getByRole('region', { name: 'Tour' });
    await card.getByRole('heading', { name: 'Start with your inbox' }).waitFor();
    await assertSound(carol, 'the tour');
    for (const title of ['Channels have topics', 'Write where it belongs', 'Jump anywhere']) {
      await card.getByRole('button', { name: 'Next' }).click();
      await card.getByRole('heading', { name: title }).waitFor();
      const box = await card.boundingBox();
      assert.ok(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= 1280 && box.y + box.height <= 800);
    }
    // It stands in nobody's way.
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Jump to…' }).waitFor();
    await page.keyboard.press('Escape');
    await card.getByRole('button', { name: 'Done' }).click();
    await card.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('search').waitFor();
    assert.equal(await card.count(), 0);
    stage.saw('the tour is shown once');

    await using gus = await stage.open(null);
    await logIn(stage, gus, 'Gus Guest');
    await using elsewhere = await stage.open(null);
    await logIn(stage, elsewhere, 'Gus Guest');
    const there = elsewhere.page.getByRole('region', { name: 'Tour' });
    await there.waitFor();
    await gus.page.getByRole('button', { name: 'Skip tour' }).click();
    await there.waitFor({ state: 'detached' });
    stage.saw('whoever leaves it has left it everywhere');
  },
};

import assert from 'node:assert/strict';

import sharp from 'sharp';

import { type Area, type Stage, assertSound, said } from './area.ts';
import { askAs, channelId, say } from './as-user.ts';
import { show } from './settle.ts';

const picture = (background: string) =>
  sharp({ create: { width: 640, height: 480, channels: 3, background } })
    .png()
    .toBuffer();

/** The pictures of a conversation, one after another and as large as one likes. */
export const lightbox: Area = {
  name: 'lightbox',
  async check(stage) {
    const bob = askAs(stage, 'Bob Member');
    for (const [name, color] of [
      ['red.png', '#a22'],
      ['green.png', '#2a2'],
      ['blue.png', '#22a'],
    ] as const) {
      const file = new File([new Uint8Array(await picture(color))], name, { type: 'image/png' });
      const { url } = await bob.upload<{ url: string }>('/user_uploads', file);
      await say(bob, 'general', 'shown', `[${name}](${url})`);
    }
    const general = await channelId(bob, 'general');
    await using alice = await stage.open('Alice Member');
    const { page } = alice;
    await show(page, `narrow/channel/${general}-general/topic/shown`);
    await said(page, 'blue.png').locator('.message_inline_image img').waitFor();
    await said(page, 'green.png').locator('.message_inline_image img').click();
    const shown = (name: string) => page.getByRole('dialog', { name, exact: true });
    await shown('green.png').getByText('2 of 3', { exact: true }).waitFor();
    await assertSound(alice, 'a picture that is shown whole');
    await page.keyboard.press('ArrowRight');
    await shown('blue.png').waitFor();
    await page.keyboard.press('ArrowRight');
    await shown('red.png').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await shown('green.png').waitFor();
    stage.saw('arrows lead from picture to picture, and after the last comes the first');

    const scale = () =>
      page
        .locator('.lightbox-picture img')
        .evaluate((image) => new DOMMatrix(getComputedStyle(image).transform).a);
    assert.equal(await scale(), 1);
    await page.keyboard.press('+');
    await page.getByRole('button', { name: 'Zoom in' }).click();
    assert.equal(await scale(), 1.25 * 1.25);
    await page.keyboard.press('0');
    assert.equal(await scale(), 1);
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, -100);
    await page.waitForFunction(() => document.querySelector('.lightbox-picture.is-zoomed') !== null);
    await page.getByRole('button', { name: 'Next image' }).click();
    assert.equal(await scale(), 1);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    assert.equal((await download).suggestedFilename(), 'blue.png');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await said(page, 'green.png').focus();
    await page.keyboard.press('v');
    await shown('green.png').waitFor();
    await page.keyboard.press('Escape');
    await assertSound(alice, 'pictures');
    stage.saw('pictures are zoomed by keys, buttons and the wheel, and downloaded');
    await checkUploads(stage);
  },
};

async function checkUploads(stage: Stage): Promise<void> {
  await using bob = await stage.open('Bob Member');
  const { page } = bob;
  await show(page, 'settings/uploads');
  await page.getByText(/^You have uploaded \d+ files: /).waitFor();
  await page.getByLabel('Search files').fill('green');
  await page.getByRole('link', { name: 'blue.png', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Message 1 with green.png' }).click();
  await page.getByRole('heading', { name: '#general › shown' }).waitFor();
  await said(page, 'green.png').waitFor();
  await show(page, 'settings/uploads');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Delete green.png' }).click();
  await page.getByRole('link', { name: 'green.png', exact: true }).waitFor({ state: 'detached' });
  const { attachments } = await askAs(stage, 'Bob Member').get<{ attachments: { name: string }[] }>(
    '/attachments',
  );
  assert.ok(!attachments.some(({ name }) => name === 'green.png'));
  await assertSound(bob, 'uploaded files');
  // Whoever saw the message elsewhere would ask for a file that is gone.
  const olivia = askAs(stage, 'Olivia Owner');
  const general = await channelId(olivia, 'general');
  await olivia.post(`/streams/${general}/delete_topic`, { topic_name: 'shown' });
  stage.saw('one sees what one has uploaded and where it stands, and deletes it');
}

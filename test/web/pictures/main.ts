import { mkdir, writeFile } from 'node:fs/promises';

import { readArguments, sayProgress, showpiece } from '@parley/infra';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';

import { askAs, channelId } from '../as-user.ts';
import { show } from '../settle.ts';
import { onStage } from '../stage.ts';

const folder = new URL('../../../../docs/pictures/', import.meta.url).pathname;
const bytesMax = 200_000;

const laptop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

interface Shot {
  name: string;
  options: BrowserContextOptions;
  who: string;
  readonly pose: (page: Page, topic: string) => Promise<void>;
}

/** At the beginning of the topic, where the picture and the formula are. */
const atBeginning = async (page: Page, topic: string) => {
  await atTopic(page, topic);
  await page.getByRole('region', { name: 'Messages' }).focus();
  await page.keyboard.press('Home');
  await page.getByText('The new grating is in.').waitFor();
  await page.waitForFunction(() => document.querySelector('.message-scroller')?.scrollTop === 0);
  await page.getByRole('main').evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
};

const atTopic = async (page: Page, topic: string) => {
  await show(page, topic);
  await page.getByRole('heading', { name: 'Which target tomorrow?' }).waitFor();
  await page.mouse.move(0, 0);
  // Pictures and formulas change the heights of messages, and the list follows.
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
};

const shots: readonly Shot[] = [
  { name: 'topic-light', options: laptop, who: 'Olivia Brandt', pose: atBeginning },
  { name: 'topic-dark', options: { ...laptop, colorScheme: 'dark' }, who: 'Olivia Brandt', pose: atTopic },
  { name: 'topic-phone', options: phone, who: 'Olivia Brandt', pose: atBeginning },
  { name: 'inbox', options: laptop, who: 'Olivia Brandt', pose: (page) => show(page, 'inbox') },
  {
    name: 'recent-dark',
    options: { ...laptop, colorScheme: 'dark' },
    who: 'Olivia Brandt',
    pose: (page) => show(page, 'recent'),
  },
  {
    name: 'compose',
    options: laptop,
    who: 'Olivia Brandt',
    async pose(page, topic) {
      await atTopic(page, topic);
      await page
        .getByLabel('Message', { exact: true })
        .pressSequentially('NGC 7331 it is. The plan is in #**papers**, thanks @bo');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'settings',
    options: laptop,
    who: 'Alice Chen',
    pose: (page) => show(page, 'settings/display'),
  },
  {
    name: 'administration',
    options: laptop,
    who: 'Olivia Brandt',
    pose: (page) => show(page, 'administration/people'),
  },
];

const usage = `npm run web:pictures -- [--json]

Makes the pictures of the web client in docs/pictures, over a small organization.`;

const { values } = readArguments(usage, {});
await onStage(
  values.json,
  async (stageFor) => {
    const stage = stageFor('pictures');
    const { channel, topic: name } = showpiece;
    const topic = `narrow/channel/${await channelId(askAs(stage, 'Olivia Brandt'), channel)}-${channel}/topic/${name.replace(' ', '.20')}`;
    await mkdir(folder, { recursive: true });
    for (const { name, options, who, pose } of shots) {
      await using watched = await stage.open(who, options);
      await pose(watched.page, topic);
      await watched.page.mouse.move(0, 0);
      const shot = await watched.page.screenshot({ animations: 'disabled' });
      const small = await sharp(shot).png({ palette: true, quality: 90, effort: 10 }).toBuffer();
      if (small.length > bytesMax) throw new Error(`${name} has ${small.length} bytes.`);
      await writeFile(`${folder}${name}.png`, small);
      sayProgress(`docs/pictures/${name}.png: ${Math.ceil(small.length / 1024)} KiB`);
    }
    return { holds: true, result: `${shots.length} pictures are in docs/pictures.` };
  },
  { isObservatory: true },
);

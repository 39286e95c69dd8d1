import type { BrowserContextOptions, Page } from 'playwright-core';

import { said } from '../area.ts';
import { show } from '../settle.ts';
import { type Places, owner, reader, writer } from './organization.ts';

/** A view as somebody sees it, or something that is opened in one. */
export interface View {
  name: string;
  /** Null for nobody in particular. */
  who: string | null;
  /** What their browser has besides. */
  options?: BrowserContextOptions;
  /** Whether what it does stays on the page, so that no other view is shown there. */
  isAlone?: true;
  /** Does what it takes to see it, and waits until it is there. */
  readonly pose: (page: Page, places: Places) => Promise<void>;
}

const arabic: BrowserContextOptions = { locale: 'ar' };

const field = (page: Page) => page.getByLabel('Message', { exact: true });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name }).waitFor();

/** Waits for something of the main column. */
const reads = (page: Page, text: string | RegExp) => page.getByRole('main').getByText(text).first().waitFor();

/** Goes to a fragment, and waits for something that it says. */
const at =
  (fragment: string | ((places: Places) => string), text: string | RegExp): View['pose'] =>
  async (page, places) => {
    await show(page, typeof fragment === 'string' ? fragment : fragment(places));
    await reads(page, text);
  };

const atTopic: View['pose'] = async (page, { topic }) => {
  await show(page, topic);
  await page.getByRole('heading', { name: /Which target tomorrow?/ }).waitFor();
};

/** At the end of the topic, wherever it was opened. */
const atEnd: View['pose'] = async (page, places) => {
  await atTopic(page, places);
  await page.locator('.message-scroller').focus();
  await page.keyboard.press('End');
  await page.waitForFunction(() => {
    const list = document.querySelector('.message-scroller');
    return list !== null && list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
  });
};

/** At the beginning of the topic, where the picture and the formula are. */
const atBeginning: View['pose'] = async (page, places) => {
  await atTopic(page, places);
  await page.locator('.message-scroller').focus();
  await page.keyboard.press('Home');
  await page.getByText('The new grating is in.').waitFor();
  await page.waitForFunction(() => document.querySelector('.message-scroller')?.scrollTop === 0);
  await page.getByRole('main').evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
};

const atTalk: View['pose'] = at(({ talk }) => talk, /no squeak since noon/);

/** Presses a key at a message, and waits for what that opens. */
const pressing =
  (where: View['pose'], key: string, text: string, opens: (page: Page) => Promise<void>): View['pose'] =>
  async (page, places) => {
    await where(page, places);
    await said(page, text).first().focus();
    await page.keyboard.press(key);
    await opens(page);
  };

/** A message at which menus are opened. */
const squeak = 'It squeaks at 40°';

/** What is photographed, in each theme and width. */
export const views: readonly View[] = [
  { name: 'sign-in', who: null, isAlone: true, pose: (page) => page.getByLabel('Password').waitFor() },
  { name: 'inbox', who: owner, pose: at('inbox', 'wavelength calibration') },
  { name: 'recent', who: owner, pose: at('recent', 'referee report') },
  { name: 'feed', who: owner, pose: at('feed', /New roller, no squeak|Cake in the control room/) },
  { name: 'topic', who: owner, pose: atBeginning },
  { name: 'topic-end', who: owner, pose: atEnd },
  { name: 'channel', who: owner, pose: at(({ channel }) => channel, /Neon agrees/) },
  { name: 'direct', who: owner, pose: at(({ direct }) => direct, /Seeing looks great/) },
  { name: 'search', who: owner, pose: at('narrow/search/aperture', /choice of the/) },
  {
    name: 'search-grouped',
    who: owner,
    isAlone: true,
    async pose(page) {
      await show(page, 'narrow/search/aperture');
      await page.getByLabel('Group by conversation').check();
      const results = page.getByRole('region', { name: 'Search results' });
      await results
        .getByText(/choice of the/)
        .first()
        .waitFor();
    },
  },
  { name: 'empty', who: writer, pose: at('narrow/is/starred', 'You have no starred messages.') },
  { name: 'channels', who: owner, pose: at('channels', 'Light, taken apart.') },
  { name: 'channel-page', who: owner, pose: at(({ channelId }) => `channels/${channelId}`, '8 subscribers') },
  {
    name: 'subscribers',
    who: owner,
    async pose(page, { privateChannelId }) {
      await show(page, `channels/${privateChannelId}`);
      await page.getByLabel('Search subscribers, or people to add').fill('a');
      await page.getByRole('button', { name: 'Add Alice Chen to core team' }).waitFor();
    },
  },
  { name: 'topics', who: owner, pose: at(({ channelId }) => `channels/${channelId}/topics`, 'first light') },
  {
    name: 'compose',
    who: writer,
    isAlone: true,
    async pose(page, places) {
      await atEnd(page, places);
      await field(page).pressSequentially('NGC 7331 it is. The plan is in #**papers**, thanks @bo');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'preview',
    who: writer,
    isAlone: true,
    async pose(page, places) {
      await atEnd(page, places);
      await field(page).fill('Is it **clear**?\n\n1. dome\n2. `guiding`\n\n> Guiding is stable :tada:');
      await field(page).press('Alt+p');
      await page.getByRole('region', { name: 'Preview' }).getByText('guiding').first().waitFor();
    },
  },
  {
    name: 'emoji',
    who: writer,
    pose: pressing(atTalk, ':', squeak, async (page) => {
      await dialog(page, 'Emoji');
      // All of them would be as large as many pictures.
      await page.getByPlaceholder('Search by name').fill('moon');
      await page.getByRole('button', { name: 'full moon', exact: true }).waitFor();
    }),
  },
  {
    name: 'message-menu',
    who: owner,
    pose: pressing(atTalk, 'i', squeak, (page) =>
      page.getByRole('menu', { name: 'Message actions' }).waitFor(),
    ),
  },
  {
    name: 'user-card',
    who: owner,
    pose: pressing(atTalk, 'u', squeak, (page) => dialog(page, 'Bob Lindqvist')),
  },
  {
    name: 'lightbox',
    who: owner,
    pose: pressing(atBeginning, 'v', 'Ten minutes on the finder camera', (page) =>
      dialog(page, 'finder.png'),
    ),
  },
  {
    name: 'palette',
    who: owner,
    // It lists the topics that the page has heard of, in other views as well.
    isAlone: true,
    async pose(page, places) {
      await at('inbox', 'wavelength calibration')(page, places);
      await page.keyboard.press('Control+k');
      await dialog(page, 'Jump to…');
      await page.keyboard.type('sp');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
    },
  },
  {
    name: 'keys',
    who: owner,
    async pose(page, places) {
      await at('inbox', 'wavelength calibration')(page, places);
      await page.keyboard.press('?');
      await dialog(page, 'Keyboard shortcuts');
    },
  },
  { name: 'drafts', who: owner, pose: at('drafts', /The dome is open/) },
  { name: 'scheduled', who: owner, pose: at('scheduled', /The transit of Mercury/) },
  { name: 'settings-display', who: owner, pose: at('settings/display', 'Theme') },
  { name: 'settings-notifications', who: owner, pose: at('settings/notifications', 'This device') },
  { name: 'administration-people', who: owner, pose: at('administration/people', 'Gus Weber') },
  {
    name: 'administration-new-users',
    who: owner,
    pose: at('administration/new-users', 'Default settings'),
  },
  { name: 'administration-permissions', who: owner, pose: at('administration/permissions', 'Channels') },
  { name: 'missing', who: owner, pose: at('channels/999999', /This channel doesn’t exist/) },
  {
    name: 'ended',
    who: writer,
    isAlone: true,
    async pose(page) {
      await page.context().clearCookies();
      await page.evaluate(() => void (location.hash = 'settings/uploads'));
      await page.getByText('Your session has ended.').waitFor();
    },
  },
  { name: 'arabic-inbox', who: reader, options: arabic, pose: at('inbox', /Bob Lindqvist/) },
  { name: 'arabic-topic', who: reader, options: arabic, pose: atTalk },
  {
    name: 'arabic-settings',
    who: reader,
    options: arabic,
    async pose(page) {
      await show(page, 'settings/display');
      await page.locator('.tabbed select').first().waitFor();
    },
  },
];

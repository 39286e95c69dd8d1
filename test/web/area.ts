import assert from 'node:assert/strict';

import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';

import type { DemoCluster } from '../support/demo-cluster.ts';
import { askAs } from './as-user.ts';
import { type Watched, openPage } from './browser.ts';

/** What an area of the client is tried with. */
export interface Stage {
  demos: DemoCluster;
  browser: Browser;
  address: string;
  /** Somebody's browser, signed in and shown the chat; nobody's, without a name. */
  readonly open: (name: string | null, options?: BrowserContextOptions) => Promise<Watched>;
  /** Says that something was seen. */
  readonly saw: (what: string) => void;
}

/** One area: throws where the client does not do what it should. */
export interface Area {
  name: string;
  readonly check: (stage: Stage) => Promise<void>;
}

export async function openAs(stage: Stage, name: string | null, options?: BrowserContextOptions) {
  const watched = await openPage(stage.browser, options);
  await watched.page.goto(stage.address);
  if (name !== null) await signIn(stage, watched, name);
  return watched;
}

/** Signs somebody in at the page that is shown, who has had the tour, and for whom a channel opens as a whole. */
export async function signIn(stage: Stage, watched: Watched, name: string): Promise<void> {
  const notice = { onboarding_step: 'intro_inbox_view_modal' };
  await askAs(stage, name).post('/users/me/onboarding_steps', notice);
  await askAs(stage, name).patch('/settings', { web_channel_default_view: 2 });
  await logIn(stage, watched, name);
}

/** Signs somebody in at the page that is shown. */
export async function logIn({ demos }: Stage, { page }: Watched, name: string): Promise<void> {
  const { email, password } = demos.demo(name);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password ?? '');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('search').waitFor();
}

/** As wide as a page has to be for the column of people. */
export const withPeople = { viewport: { width: 1500, height: 800 } } as const;

/** A link of the column with the conversations. */
export const inSidebar = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name });

/** A message in the list, by something that it says. */
export const said = (page: Page, text: string): Locator =>
  page.getByRole('article').filter({ hasText: text });

/** No script failed, nothing was refused by the page's policy, and axe finds no serious fault. */
export async function assertSound({ problems, faults }: Watched, where: string): Promise<void> {
  assert.deepEqual(await faults(), [], `faults of ${where}`);
  assert.deepEqual(problems, [], `problems of ${where}`);
}

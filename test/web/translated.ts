import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';

import type { Stage } from './area.ts';
import { askAs } from './as-user.ts';

/** The texts of a language, by their keys. */
export async function textsOf(tag: string): Promise<(key: string) => string> {
  const file = new URL(`../../../services/web/src/strings/translations/${tag}.json`, import.meta.url);
  const texts = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
  return (key) => texts[key] ?? assert.fail(`${tag} lacks ${key}`);
}

/** Waits until a page is in a language. */
export const isIn = async (page: Page, tag: string): Promise<void> =>
  await page.locator(`html[lang="${tag}"]`).waitFor();

/** Sets the language of somebody, elsewhere than on the page. */
export const setLanguage = async (stage: Stage, name: string, tag: string): Promise<unknown> =>
  await askAs(stage, name).patch('/settings', { default_language: tag });

import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';

import { show } from './settle.ts';

const file = new URL('../../../services/web/src/app/views.tsx', import.meta.url);

/**
 * Fragments that show every view of the client's list. A view that has pages below it, such as `/settings/*?`, is opened
 * and asked for the links to them.
 *
 * @param narrows examples of the view of messages
 * @throws Error for a view of which nothing can be shown, or that has no links to its pages
 */
export async function fragmentsOf(page: Page, narrows: readonly string[]): Promise<string[]> {
  const source = await readFile(file, 'utf8');
  const paths = [...source.matchAll(/\bpath: '\/([^']*)'/g)].map(([, path = '']) => path);
  if (!paths.includes('narrow/*?')) throw new Error(`The views are not found in ${file.pathname}.`);
  const fragments: string[] = [];
  for (const path of paths) {
    if (path === 'narrow/*?') fragments.push(...narrows);
    else if (path.endsWith('/*?')) fragments.push(...(await pagesBelow(page, path.slice(0, -3))));
    else if (/[:*?]/.test(path)) throw new Error(`Say how the view ${path} is shown.`);
    else fragments.push(path);
  }
  return fragments;
}

async function pagesBelow(page: Page, base: string): Promise<string[]> {
  await show(page, base);
  const links = page.locator(`main a[href^="#${base}/"]`);
  await links.first().waitFor();
  const found = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  return [...new Set(found.map((href) => href?.slice(1) ?? ''))];
}

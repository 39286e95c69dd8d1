import type { JobDeps } from '@parley/worker';
import { afterAll } from 'vitest';

import {
  type Page,
  type Person,
  type TestRealm,
  getWorld,
  pageOf,
  realm,
  runOnDemand,
  startOutside,
  succeed,
} from '../../support/index.ts';

/** The file's strangers, and a way to them. */
export const outside = await startOutside();
afterAll(() => outside[Symbol.asyncDispose]());

export const day = 86_400_000;
let pages = 0;

/** A page at an address of its own, with this in its head. */
export const publish = (head: string): string =>
  put(pageOf(`<html><head>${head}</head><body>x</body></html>`));

export function put(page: Page): string {
  pages += 1;
  return outside.serve(`/page/${pages}`, page);
}

export const story = `<title>A story</title><meta property="og:description" content="Of &quot;things&quot;">
  <meta property="og:image" content="/i.png">`;

/** What is shown of that story. */
export const shownOf = (
  url: string,
  { title = 'A story', description = 'Of &quot;things&quot;', image = '/i.png' } = {},
) =>
  `<div class="message_embed"><a class="message_embed_image" href="${url}" style="background-image: url(&quot;${
    image.startsWith('/') ? outside.urlOf(image) : image
  }&quot;)"></a><div class="data-container"><div class="message_embed_title"><a href="${url}" title="${
    title
  }">${title}</a></div><div class="message_embed_description">${description}</div></div></div>`;

export const setShowing = (people: TestRealm, shows: boolean) =>
  succeed(people.owner.patch('/realm', { inline_url_embed_preview: shows }));

export async function showing(): Promise<TestRealm> {
  const people = await realm();
  await setShowing(people, true);
  return people;
}

/** Looks at the pages that a message links to, some time from now. */
export const look = (id: number, differing: Partial<JobDeps> = {}) =>
  runOnDemand('preview-links', id, { outbound: outside.outbound, ...differing });
export const later = (ms: number) => ({ clock: { nowMs: () => Date.now() + ms } });

export const htmlOf = async (who: Person, id: number): Promise<string> =>
  (await who.get(`/messages/${id}`, { apply_markdown: true })).message.content;
export const edit = (by: Person, id: number, content: string) =>
  succeed(by.patch(`/messages/${id}`, { content }));
export const linkTo = (url: string) => `<p><a href="${url}">${url}</a></p>`;

export async function isDue(id: number): Promise<boolean> {
  const { sql } = await getWorld();
  return (await sql`select from messages where id = ${id} and previews_due_at is not null`).length === 1;
}

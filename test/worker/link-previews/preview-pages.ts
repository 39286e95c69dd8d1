import type { JobDeps } from '@parley/worker';
import { afterAll } from 'vitest';

import {
  type Page,
  type Person,
  type TestRealm,
  pageOf,
  realm,
  runOnDemand,
  startOutside,
  succeed,
} from '../../support/index.ts';

export const day = 86_400_000;

/** What the head of the page says that most tests link to. */
export const storyHead = `<title>A story</title><meta property="og:description" content="Of &quot;things&quot;">
  <meta property="og:image" content="/i.png">`;

/** Strangers of one test file, whose pages are looked at. */
export async function startPreviewPages() {
  const outside = await startOutside();
  afterAll(() => outside[Symbol.asyncDispose]());
  let pages = 0;

  /** Puts a page at an address of its own. */
  function put(page: Page): string {
    pages += 1;
    return outside.serve(`/page/${pages}`, page);
  }

  return {
    outside,
    put,
    /** A page at an address of its own, with this in its head. */
    publish: (head: string): string => put(pageOf(`<html><head>${head}</head><body>x</body></html>`)),
    /** Looks at the pages that a message links to, some time from now. */
    look: ({ realm: { id: realmId } }: Pick<Person, 'realm'>, id: number, differing: Partial<JobDeps> = {}) =>
      runOnDemand('preview-links', id, { outbound: outside.outbound, ...differing }, realmId),
    /** What is shown of the page with that head. */
    previewOf: (
      url: string,
      { title = 'A story', description = 'Of &quot;things&quot;', image = '/i.png' } = {},
    ): string => {
      const picture = image.startsWith('/') ? outside.urlOf(image) : image;
      return `<div class="message_embed"><a class="message_embed_image" href="${url}" style="background-image: url(&quot;${picture}&quot;)"></a><div class="data-container"><div class="message_embed_title"><a href="${url}" title="${title}">${title}</a></div><div class="message_embed_description">${description}</div></div></div>`;
    },
  };
}

export const setPreviews = (people: TestRealm, shows: boolean) =>
  succeed(people.owner.patch('/realm', { inline_url_embed_preview: shows }));

export async function realmWithPreviews(): Promise<TestRealm> {
  const people = await realm();
  await setPreviews(people, true);
  return people;
}

export const later = (ms: number) => ({ clock: { nowMs: () => Date.now() + ms } });

export const htmlOf = async (who: Person, id: number): Promise<string> =>
  (await who.get(`/messages/${id}`, { apply_markdown: true })).message.content;
export const edit = (by: Person, id: number, content: string) =>
  succeed(by.patch(`/messages/${id}`, { content }));
export const linkTo = (url: string) => `<p><a href="${url}">${url}</a></p>`;

import type { BrowserContext } from 'playwright-core';

import { picture } from '../../support/http.ts';
import { canary } from './payloads.ts';

/** What ran in any page, frame or file of a browser profile: the numbers that payloads report, and where. */
export interface Executions {
  all: { id: string; where: string }[];
}

/** Watches everything that a profile opens from now on. */
export async function watchExecutions(context: BrowserContext): Promise<Executions> {
  const all: Executions['all'] = [];
  // Every payload calls it, in whichever document it runs.
  await context.exposeBinding('alert', ({ frame }, id: unknown) => {
    all.push({ id: String(id), where: frame.url() });
  });
  await context.route(
    (url) => url.hostname === canary,
    async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname.startsWith('/ran/')) all.push({ id: pathname.slice(5), where: 'the canary' });
      await route.fulfill({ contentType: 'image/png', body: picture });
    },
  );
  return { all };
}

/** Takes the walls away that the server sends along with documents, so that only the client itself stands. */
export async function stripPolicies(context: BrowserContext, address: string): Promise<void> {
  await context.route(
    (url) => url.origin === address,
    async (route) => {
      if (route.request().resourceType() !== 'document') return await route.fallback();
      const response = await route.fetch({ maxRedirects: 0 });
      const { 'content-security-policy': _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    },
  );
}

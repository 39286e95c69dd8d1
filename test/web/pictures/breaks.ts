import type { BrowserContext } from 'playwright-core';

/** What is changed on purpose in the files of the client, to see the comparison fail. */
interface Break {
  does: string;
  /** Which files have it. */
  kind: 'css' | 'js';
  pattern: RegExp;
  replacement: string;
}

export const breaks = {
  color: {
    does: 'makes quiet text a little lighter',
    kind: 'css',
    pattern: /(--ink-dim:[^;]*?)#615f59/,
    replacement: '$1#6a6862',
  },
  row: {
    does: 'makes the rows of the sidebar two pixels higher',
    kind: 'css',
    pattern: /(--row-sidebar: ?)1\.75rem/,
    replacement: '$11.875rem',
  },
  text: {
    does: 'calls recent conversations latest',
    kind: 'js',
    pattern: /Recent conversations/,
    replacement: 'Latest conversations',
  },
} as const satisfies Record<string, Break>;

export type BreakName = keyof typeof breaks;

/** Counts in how many files there was what is broken: where there was none, nothing is. */
export interface Broken {
  files: number;
}

/** Breaks the client for all pages of a browser profile. */
export async function breakClient(context: BrowserContext, name: BreakName, broken: Broken): Promise<void> {
  const { kind, pattern, replacement }: Break = breaks[name];
  await context.route(`**/static/web/**/*.${kind}`, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    if (!pattern.test(text)) return await route.fulfill({ response });
    broken.files += 1;
    await route.fulfill({ response, body: text.replace(pattern, replacement) });
  });
}

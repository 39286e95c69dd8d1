import type { BrowserContext } from 'playwright-core';

const family = 'Noto Color Emoji';
const font = new URL(
  import.meta.resolve('@fontsource/noto-color-emoji/files/noto-color-emoji-emoji-400-normal.woff2'),
);
/** Of the same origin, because the page's policy allows no other. */
const path = '/static/web/emoji-of-pictures.woff2';

/**
 * Gives pages a typeface for emoji, by the name by which the client asks the system for it: systems have others, or none.
 */
export async function provideEmoji(context: BrowserContext): Promise<void> {
  await context.route(`**${path}`, (route) => route.fulfill({ path: font.pathname }));
  await context.addInitScript(
    ({ family, path }) => void document.fonts.add(new FontFace(family, `url(${path})`)),
    { family, path },
  );
}

import { loadLanguage } from '../strings/load-language.ts';
import { pageReady } from './page-ready.ts';

setTimeout(readLocales);
// The application reads its texts as it is loaded.
await loadLanguage();
// What is shown is read while what draws it is still on its way.
const { start } = await import('../data/session/session.ts');
const started = start();
await pageReady();
const { show } = await import('./main.tsx');
await show(started);

/**
 * Has the browser read what it knows of languages while the program is still on its way. It does so when something is formatted
 * for the first time, which takes a slow device a quarter of a second: that would be when the first message is drawn.
 */
function readLocales(): void {
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format();
  new Intl.NumberFormat().format(0);
}

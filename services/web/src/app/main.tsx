import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/inter/wght-italic.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import { render } from 'preact';

import { listenForKeys } from '../base/keys/commands.ts';
import { followColorScheme } from '../base/theme/theme.ts';
import { csrfToken } from '../data/session/session-requests.ts';
import { App } from './app.tsx';
import { followLanguage } from './follow-language.ts';
import { loadAroundLater } from './load-around.ts';
import { reloadWhenOutdated } from './outdated.ts';

/** Shows the page, whose session has begun to start. */
export async function show(started: Promise<void>): Promise<void> {
  reloadWhenOutdated();
  followColorScheme();
  listenForKeys();
  loadAroundLater();
  followLanguage();
  // Until then the page has the frame that it came with.
  if (csrfToken() !== undefined) await started;
  const root = document.getElementById('app');
  root?.replaceChildren();
  if (root) render(<App />, root);
}

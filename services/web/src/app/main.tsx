import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/inter/wght-italic.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import { render } from 'preact';

import { listenForKeys } from '../base/keys/commands.ts';
import { followColorScheme } from '../base/theme/theme.ts';
import { start } from '../data/session/session.ts';
import { App } from './app.tsx';
import { followLanguage } from './follow-language.ts';
import { loadAroundLater } from './load-around.ts';
import { reloadWhenOutdated } from './outdated.ts';

reloadWhenOutdated();
followColorScheme();
listenForKeys();
loadAroundLater();
followLanguage();
void start();

const root = document.getElementById('app');
if (root) render(<App />, root);

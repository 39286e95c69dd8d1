import { render } from 'preact';

import { App } from './app.tsx';
import { listenForKeys } from './keys/commands.ts';
import { start } from './session/session.ts';
import { reloadWhenOutdated } from './shell/outdated.ts';
import { followColorScheme } from './shell/theme.ts';

reloadWhenOutdated();
followColorScheme();
listenForKeys();
void start();

const root = document.getElementById('app');
if (root) render(<App />, root);

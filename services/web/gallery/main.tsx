import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/inter/wght-italic.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import { connect } from '@parley/client';
import { render } from 'preact';

import { startFollowing } from '../src/data/live/follow.ts';
import { serverTime } from '../src/data/people/presence.ts';
import { session } from '../src/data/session/session.ts';
import { Gallery } from './gallery.tsx';
import { registered } from './sample.ts';
import { answer } from './server.ts';

if (location.hash === '') location.hash = 'narrow/channel/1-design/topic/contrast';
const connection = connect({ baseUrl: '', credentials: 'none', fetch: answer });
serverTime.value = registered.presences[1]?.active_timestamp ?? 0;
await startFollowing(connection, { onEnded: () => undefined });
session.value = { kind: 'member', connection };

const root = document.getElementById('app');
if (root) render(<Gallery />, root);

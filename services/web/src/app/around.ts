// What is around the messages of the first look: it is a script of its own, fetched when they are there.
export { KeyHelp } from '../base/keys/key-help.tsx';
export { Compose } from '../features/compose/index.ts';
export { Inbox } from '../features/inbox/index.ts';
export { Jump } from '../features/jump/index.ts';
export { followSession, runServiceWorker } from '../features/notifications/index.ts';
export { People } from '../features/people/index.ts';
export { Sidebar } from '../features/sidebar/index.ts';
export { Besides } from './besides.tsx';
export { Header } from './header.tsx';

import { type Tab, Tabbed } from '../forms/tabbed.tsx';
import { Account } from './account.tsx';
import { AlertWords } from './alert-words.tsx';
import { Channels } from './channels.tsx';
import { Display } from './display.tsx';
import { Notifications } from './notifications.tsx';
import { Topics } from './topics.tsx';

const tabs: readonly Tab[] = [
  { path: 'account', title: 'Account', component: Account },
  { path: 'display', title: 'Display', component: Display },
  { path: 'notifications', title: 'Notifications', component: Notifications },
  { path: 'channels', title: 'Channels', component: Channels },
  { path: 'topics', title: 'Topics', component: Topics },
  { path: 'alert-words', title: 'Alert words', component: AlertWords },
];

/** What the person sets for themselves. */
export const Settings = () => <Tabbed base="settings" name="Settings" tabs={tabs} />;

import { type Tab, Tabbed } from '../../base/forms/tabbed.tsx';
import { settingsText } from '../../strings/settings.ts';
import { viewText } from '../../strings/views.ts';
import { Account } from './account.tsx';
import { AlertWords } from './alert-words.tsx';
import { Channels } from './channels.tsx';
import { Display } from './display.tsx';
import { Notifications } from './notifications.tsx';
import { Topics } from './topics.tsx';
import { Uploads } from './uploads.tsx';

const tabs: readonly Tab[] = [
  { path: 'account', title: settingsText.account, component: Account },
  { path: 'display', title: settingsText.display, component: Display },
  { path: 'notifications', title: settingsText.notifications, component: Notifications },
  { path: 'channels', title: settingsText.channels, component: Channels },
  { path: 'topics', title: settingsText.topics, component: Topics },
  { path: 'uploads', title: settingsText.uploads, component: Uploads },
  { path: 'alert-words', title: settingsText.alertWords, component: AlertWords },
];

/** Shows the pages of the person's own settings. */
export const Settings = () => <Tabbed base="settings" name={viewText.settings} tabs={tabs} />;

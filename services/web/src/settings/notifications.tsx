import { SettingFields } from '../forms/setting-fields.tsx';
import { choice, number, toggle } from '../forms/setting-row.ts';
import { userSetting } from '../live/state.ts';
import { askPermission, permission } from '../notifications/permission.ts';
import { tellError } from '../shell/toasts.tsx';
import { saveSetting } from './save-setting.ts';

const groups = {
  'Direct messages, mentions and alert words': [
    toggle('enable_desktop_notifications', 'Notify on the desktop'),
    toggle('enable_sounds', 'Play a sound'),
    toggle('enable_offline_email_notifications', 'Mail what you miss'),
    toggle('enable_offline_push_notifications', 'Notify phones of what you miss'),
    toggle('enable_online_push_notifications', 'Notify phones while you are here'),
    toggle('pm_content_in_desktop_notifications', 'Show what direct messages say'),
    toggle('wildcard_mentions_notify', 'Mentions of everyone count as mentions'),
  ],
  Channels: [
    toggle('enable_stream_desktop_notifications', 'Notify on the desktop'),
    toggle('enable_stream_audible_notifications', 'Play a sound'),
    toggle('enable_stream_email_notifications', 'Mail what you miss'),
    toggle('enable_stream_push_notifications', 'Notify phones'),
  ],
  'Followed topics': [
    toggle('enable_followed_topic_desktop_notifications', 'Notify on the desktop'),
    toggle('enable_followed_topic_audible_notifications', 'Play a sound'),
    toggle('enable_followed_topic_email_notifications', 'Mail what you miss'),
    toggle('enable_followed_topic_push_notifications', 'Notify phones'),
    toggle('enable_followed_topic_wildcard_mentions_notify', 'Mentions of everyone count as mentions'),
  ],
  'This page': [
    choice('notification_sound', 'Sound', [
      ['zulip', 'A tone'],
      ['none', 'None'],
    ]),
    choice('desktop_icon_count_display', 'Count beside the title', [
      [1, 'Everything unread'],
      [2, 'Direct messages, mentions and followed topics'],
      [3, 'Direct messages and mentions'],
      [4, 'Nothing'],
    ]),
  ],
  Mails: [
    number(
      'email_notifications_batching_period_seconds',
      'Seconds for which messages are gathered',
      1,
      604_800,
    ),
    toggle('message_content_in_email_notifications', 'Mails contain the messages'),
    toggle('enable_digest_emails', 'Mail what has been going on'),
    toggle('enable_login_emails', 'Mail when somebody logs in from a new place'),
  ],
};

/** Of what one is told, and how. */
export const Notifications = () => (
  <>
    <Permission />
    {Object.entries(groups).map(([title, rows]) => (
      <SettingFields key={title} title={title} rows={rows} read={userSetting} save={saveSetting} />
    ))}
  </>
);

function Permission() {
  if (permission.value === null) return <p>This browser cannot notify you.</p>;
  if (permission.value === 'granted') return <p>This browser notifies you.</p>;
  if (permission.value === 'denied') {
    return <p>This browser does not let the page notify you. You can allow it in the browser’s settings.</p>;
  }
  return (
    <p>
      <button type="button" class="primary" onClick={() => void askPermission().catch(tellError)}>
        Let this browser notify me
      </button>
    </p>
  );
}

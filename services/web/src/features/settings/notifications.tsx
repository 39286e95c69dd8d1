import { SettingFields } from '../../base/forms/setting-fields.tsx';
import { choice, number, toggle } from '../../base/forms/setting-row.ts';
import { userSetting } from '../../data/live/state.ts';
import { saveSetting } from '../../data/session/save-setting.ts';
import { notificationSettingText } from '../../strings/settings.ts';
import { ThisDevice } from '../notifications/index.ts';

const groups = {
  [notificationSettingText.forYou]: [
    toggle('enable_desktop_notifications', notificationSettingText.desktop),
    toggle('enable_sounds', notificationSettingText.sound),
    toggle('enable_offline_email_notifications', notificationSettingText.email),
    toggle('enable_offline_push_notifications', notificationSettingText.pushOffline),
    toggle(
      'enable_online_push_notifications',
      notificationSettingText.pushOnline,
      notificationSettingText.pushOnlineHelp,
    ),
    toggle('pm_content_in_desktop_notifications', notificationSettingText.showContent),
    toggle('wildcard_mentions_notify', notificationSettingText.wildcards),
  ],
  [notificationSettingText.channels]: [
    toggle('enable_stream_desktop_notifications', notificationSettingText.desktop),
    toggle('enable_stream_audible_notifications', notificationSettingText.sound),
    toggle('enable_stream_email_notifications', notificationSettingText.email),
    toggle('enable_stream_push_notifications', notificationSettingText.push),
  ],
  [notificationSettingText.followed]: [
    toggle('enable_followed_topic_desktop_notifications', notificationSettingText.desktop),
    toggle('enable_followed_topic_audible_notifications', notificationSettingText.sound),
    toggle('enable_followed_topic_email_notifications', notificationSettingText.email),
    toggle('enable_followed_topic_push_notifications', notificationSettingText.push),
    toggle('enable_followed_topic_wildcard_mentions_notify', notificationSettingText.wildcards),
  ],
  [notificationSettingText.page]: [
    choice('notification_sound', notificationSettingText.soundChoice, [
      ['zulip', notificationSettingText.tone],
      ['none', notificationSettingText.noSound],
    ]),
    choice('desktop_icon_count_display', notificationSettingText.count, [
      [1, notificationSettingText.countAll],
      [2, notificationSettingText.countFollowed],
      [3, notificationSettingText.countDirect],
      [4, notificationSettingText.countNone],
    ]),
  ],
  [notificationSettingText.emails]: [
    number('email_notifications_batching_period_seconds', notificationSettingText.batching, 1, 604_800),
    toggle('message_content_in_email_notifications', notificationSettingText.emailContent),
    toggle('enable_digest_emails', notificationSettingText.digest, notificationSettingText.digestHelp),
    toggle('enable_login_emails', notificationSettingText.newLogins),
  ],
};

/** The settings of notifications. */
export const Notifications = () => (
  <>
    <ThisDevice />
    {Object.entries(groups).map(([title, rows]) => (
      <SettingFields key={title} title={title} rows={rows} read={userSetting} save={saveSetting} />
    ))}
  </>
);

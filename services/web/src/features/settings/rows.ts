import { choice, number, toggle } from '../../base/forms/setting-row.ts';
import { usualLine, usualSize } from '../../base/theme/reading-size.ts';
import { commonText } from '../../strings/common.ts';
import { displayText, notificationSettingText, privacyText } from '../../strings/settings.ts';
import { themeText } from '../../strings/shell.ts';
import { viewText } from '../../strings/views.ts';

const appearance = [
  choice('color_scheme', themeText.theme, [
    [1, themeText.system],
    [2, themeText.dark],
    [3, themeText.light],
  ]),
  choice('web_home_view', displayText.home, [
    ['inbox', viewText.inbox],
    ['recent_topics', viewText.recent],
    ['all_messages', viewText.feed],
  ]),
  choice('web_font_size_px', displayText.fontSize, [
    [14, displayText.small],
    [usualSize, displayText.usual],
    [18, displayText.large],
    [20, displayText.veryLarge],
  ]),
  choice('web_line_height_percent', displayText.lines, [
    [122, displayText.compact],
    [usualLine, displayText.usual],
    [165, displayText.airy],
  ]),
  toggle('fluid_layout_width', displayText.fluid, displayText.fluidHelp),
  toggle('twenty_four_hour_time', displayText.twentyFourHours),
  toggle('starred_message_counts', displayText.countStarred),
  choice(
    'demote_inactive_streams',
    displayText.demoteInactive,
    [
      [1, displayText.demoteMany],
      [2, displayText.always],
      [3, displayText.never],
    ],
    displayText.demoteInactiveHelp,
  ),
  choice(
    'emojiset',
    displayText.emoji,
    [
      ['google', 'Google'],
      ['twitter', 'Twitter'],
      ['text', displayText.emojiText],
    ],
    displayText.emojiHelp,
  ),
];

const reading = [
  choice(
    'web_mark_read_on_scroll_policy',
    displayText.markRead,
    [
      [1, displayText.always],
      [2, displayText.markReadConversations],
      [3, displayText.never],
    ],
    displayText.markReadHelp,
  ),
  choice('web_channel_default_view', displayText.channelView, [
    [1, displayText.newestTopic],
    [2, displayText.channelFeed],
    [4, displayText.newestUnread],
  ]),
];

const policies = [
  [1, displayText.participate],
  [2, displayText.send],
  [3, displayText.start],
  [4, displayText.never],
] as const;

const writing = [
  toggle('enter_sends', displayText.enterSends, displayText.enterSendsHelp),
  toggle('translate_emoticons', displayText.emoticons, displayText.emoticonsHelp),
  toggle('enable_drafts_synchronization', displayText.syncDrafts, displayText.syncDraftsHelp),
  choice('automatically_follow_topics_policy', displayText.followTopics, policies),
  choice('automatically_unmute_topics_in_muted_streams_policy', displayText.unmuteTopics, policies),
  toggle('automatically_follow_topics_where_mentioned', displayText.followMentioned),
];

/** What is set of appearance, reading and writing. */
export const displayGroups = {
  [displayText.appearance]: appearance,
  [displayText.reading]: reading,
  [displayText.writing]: writing,
};

/** What is set of notifications. */
export const notificationGroups = {
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

/** What others may know of somebody. */
export const privacyRows = [
  choice('email_address_visibility', privacyText.email, [
    [1, privacyText.everyone],
    [2, privacyText.members],
    [5, privacyText.moderators],
    [3, privacyText.administrators],
    [4, commonText.nobody],
  ]),
  toggle('presence_enabled', privacyText.presence),
  toggle('send_private_typing_notifications', privacyText.typingDirect),
  toggle('send_stream_typing_notifications', privacyText.typingChannels),
  toggle('send_read_receipts', privacyText.readReceipts),
  toggle('allow_private_data_export', privacyText.export),
];

import { SettingFields } from '../../base/forms/setting-fields.tsx';
import { choice, toggle } from '../../base/forms/setting-row.ts';
import { usualLine, usualSize } from '../../base/theme/reading-size.ts';
import { userSetting } from '../../data/live/state.ts';
import { saveSetting } from '../../data/session/save-setting.ts';
import { displayText } from '../../strings/settings.ts';
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

const groups = {
  [displayText.appearance]: appearance,
  [displayText.reading]: reading,
  [displayText.writing]: writing,
};

/** The settings of appearance, reading and writing. */
export const Display = () => (
  <>
    {Object.entries(groups).map(([title, rows]) => (
      <SettingFields key={title} title={title} rows={rows} read={userSetting} save={saveSetting} />
    ))}
  </>
);

import { SettingFields } from '../forms/setting-fields.tsx';
import { choice, toggle } from '../forms/setting-row.ts';
import { userSetting } from '../live/state.ts';
import { saveSetting } from './save-setting.ts';

const looks = [
  choice('color_scheme', 'Colors', [
    [1, 'As the system'],
    [2, 'Dark'],
    [3, 'Light'],
  ]),
  choice('web_home_view', 'What is shown first', [
    ['inbox', 'Inbox'],
    ['recent_topics', 'Recent conversations'],
    ['all_messages', 'Combined feed'],
  ]),
  toggle('twenty_four_hour_time', 'Hours from 0 to 24'),
  toggle('starred_message_counts', 'Count starred messages'),
  choice('demote_inactive_streams', 'Channels in which nobody writes stand apart', [
    [1, 'Where there are many channels'],
    [2, 'Always'],
    [3, 'Never'],
  ]),
  choice('emojiset', 'Emoji', [
    ['google', 'Google'],
    ['twitter', 'Twitter'],
    ['text', 'As words'],
  ]),
];

const reading = [
  choice('web_mark_read_on_scroll_policy', 'Messages that you see count as read', [
    [1, 'Always'],
    [2, 'In conversations'],
    [3, 'Never'],
  ]),
  choice('web_channel_default_view', 'A channel begins with', [
    [1, 'Its newest topic'],
    [2, 'Everything in it'],
    [3, 'The list of its topics'],
    [4, 'Its newest unread topic'],
  ]),
];

const policies = [
  [1, 'that you take part in'],
  [2, 'that you write in'],
  [3, 'that you begin'],
  [4, 'never'],
] as const;

const writing = [
  toggle('enter_sends', 'Enter sends, and Shift+Enter begins a line'),
  toggle('translate_emoticons', 'Emoticons become emoji'),
  toggle('enable_drafts_synchronization', 'Drafts are kept on the server'),
  choice('automatically_follow_topics_policy', 'Topics are followed', policies),
  choice(
    'automatically_unmute_topics_in_muted_streams_policy',
    'Topics of muted channels are unmuted',
    policies,
  ),
  toggle('automatically_follow_topics_where_mentioned', 'Topics in which you are mentioned are followed'),
];

const groups = { 'How it looks': looks, Reading: reading, Writing: writing };

/** How the chat looks and behaves. */
export const Display = () => (
  <>
    {Object.entries(groups).map(([title, rows]) => (
      <SettingFields key={title} title={title} rows={rows} read={userSetting} save={saveSetting} />
    ))}
  </>
);

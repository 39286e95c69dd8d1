/** An organization of which all is known: what the gallery's components show. */
const people = [
  'Alice Chen',
  'Bob Lindqvist',
  'Carol Haddad',
  'Dmitri Okafor',
  'Elena Petrova',
  'Farid Tanaka',
  'Grace Romano',
  'Hiroshi Kim',
  'Ines Fernández',
  'Jonas Weber',
  'Kavya Rao',
  'Lena Olsen',
];

const now = 1_900_000_000;

const users = people.map((full_name, at) => ({
  user_id: at + 1,
  full_name,
  email: `${at}@gallery.example`,
  delivery_email: `${at}@gallery.example`,
  role: at === 0 ? 200 : 400,
  is_bot: false,
  is_active: true,
  avatar_url: null,
  timezone: 'Europe/Oslo',
  date_joined: '2026-01-01T00:00:00Z',
  profile_data: {},
}));

const channels = [
  ['design', '#e79ab5'],
  ['launch', '#94c849'],
  ['mobile app', '#9987e1'],
  ['research', '#c2726a'],
].map(([name = '', color = ''], at) => ({
  stream_id: at + 1,
  name,
  color,
  description: '',
  rendered_description: `<p>All about ${name}.</p>`,
  invite_only: at === 2,
  is_muted: at === 3,
  is_archived: false,
  pin_to_top: false,
  folder_id: null,
  history_public_to_subscribers: true,
  is_web_public: false,
  subscriber_count: 8 - at,
  subscribers: users.slice(0, 8 - at).map(({ user_id }) => user_id),
}));

interface Sample {
  content: string;
  sender?: number;
  [field: string]: unknown;
}

const reaction = (user_id: number, emoji_name: string, emoji_code: string) => ({
  user_id,
  emoji_name,
  emoji_code,
  reaction_type: 'unicode_emoji',
});

const code = `<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="k">def</span> <span class="nf">twice</span>(x: <span class="nb">int</span>):
    <span class="s">"""Two of it."""</span>
    <span class="k">return</span> <span class="m">2</span> <span class="o">*</span> x  <span class="c1"># or x + x</span>
</code></pre></div>`;

const widget = (content: object) => [
  { id: 1, message_id: 1, sender_id: 3, msg_type: 'widget', content: JSON.stringify(content) },
];

/** A message of every kind, from the oldest. */
const samples: readonly Sample[] = [
  { content: '<p>The new colors are in. Have a look?</p>' },
  { content: '<p>Everything stands on a 4-pixel grid now, so that rows line up.</p>' },
  {
    content:
      '<p><span class="user-mention" data-user-id="1">@Alice Chen</span> could you check the contrast?</p>',
    sender: 2,
    flags: ['mentioned', 'read'],
  },
  {
    content:
      '<p>I like it <span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span>, but ask <span class="user-mention" data-user-id="4">@Dmitri Okafor</span> about <code>--ink-dim</code>, <strong>bold</strong>, <em>italic</em>, <del>gone</del> and <a href="https://example.com">a link</a>.</p>',
    sender: 3,
    reactions: [
      reaction(1, 'heart', '2764'),
      reaction(2, 'heart', '2764'),
      reaction(4, 'tada', '1f389'),
      reaction(5, 'tada', '1f389'),
    ],
  },
  {
    content:
      '<p><span class="user-mention silent" data-user-id="2">Bob Lindqvist</span> <a href="#narrow/near/3">said</a>:</p>\n<blockquote>\n<p>Could you check the contrast?</p>\n</blockquote>\n<p>It is above seven.</p>',
    sender: 4,
    last_edit_timestamp: now + 1,
    flags: ['read', 'starred'],
  },
  {
    content:
      '<p><span class="user-group-mention is-own" data-user-group-id="9">@designers</span> one more look, please.</p>',
    sender: 6,
    flags: ['mentioned', 'read'],
  },
  { content: `<p>In code:</p>\n${code}`, sender: 5 },
  {
    content:
      '<table>\n<thead>\n<tr><th>Look</th><th>Ink</th><th>Dim</th></tr>\n</thead>\n<tbody>\n<tr><td>Light</td><td>17.0</td><td>6.4</td></tr>\n<tr><td>Dark</td><td>14.0</td><td>6.9</td></tr>\n</tbody>\n</table>',
    sender: 5,
  },
  {
    content:
      '<ol>\n<li>first</li>\n<li>second\n<ul>\n<li>inner</li>\n</ul>\n</li>\n</ol>\n<div class="spoiler-block"><div class="spoiler-header">\n<p>How it ends</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>Well.</p>\n</div></div>',
    sender: 6,
  },
  { content: '<p>/me waves</p>', sender: 7, is_me_message: true },
  {
    content: '',
    sender: 3,
    submessages: widget({
      widget_type: 'poll',
      extra_data: { question: 'Which day?', options: ['Monday', 'Tuesday'] },
    }),
  },
  { content: '<p>And the last one, which nobody has read yet.</p>', sender: 8, flags: [] },
];

export const messages = samples.map(({ sender = 1, flags = ['read'], ...more }, at) => ({
  id: at + 1,
  type: 'stream',
  stream_id: 1,
  subject: 'contrast',
  display_recipient: 'design',
  sender_id: sender,
  timestamp: now + at * 30,
  is_me_message: false,
  topic_links: [],
  reactions: [],
  submessages: [],
  flags,
  ...more,
}));

/** What a search finds, in two topics. */
export const found = [
  ...messages.slice(0, 6),
  ...messages
    .slice(0, 2)
    .map((message) => ({ ...message, id: message.id + 1000, subject: 'type in the dark' })),
].map((message) => ({
  ...message,
  match_subject: message.subject.replace('contrast', '<span class="highlight">contrast</span>'),
  match_content: '<p>More <span class="highlight">contrast</span>, and the letters are easy to read.</p>',
}));

/** What `POST /register` answers. */
export const registered = {
  queue_id: 'gallery',
  last_event_id: 0,
  user_id: 1,
  full_name: users[0]?.full_name,
  email: users[0]?.email,
  delivery_email: users[0]?.delivery_email,
  is_admin: true,
  is_owner: false,
  is_guest: false,
  is_moderator: false,
  realm_name: 'Gallery',
  realm_url: location.origin,
  realm_icon_url: '',
  realm_bots: [],
  cross_realm_bots: [],
  realm_domains: [],
  realm_emoji: {},
  realm_linkifiers: [],
  custom_profile_fields: [],
  channel_folders: [],
  realm_user_settings_defaults: {},
  user_settings: { color_scheme: 1, web_mark_read_on_scroll_policy: 3, twenty_four_hour_time: true },
  muted_users: [],
  alert_words: [],
  max_message_length: 10_000,
  max_topic_length: 60,
  server_presence_offline_threshold_seconds: 140,
  server_presence_ping_interval_seconds: 60,
  server_typing_started_expiry_period_milliseconds: 15_000,
  realm_users: users,
  realm_non_active_users: [],
  realm_user_groups: [],
  streams: channels,
  subscriptions: channels,
  unsubscribed: [],
  never_subscribed: [],
  max_message_id: messages.length,
  user_topics: [],
  user_status: {
    3: {
      emoji_name: 'microscope',
      emoji_code: '1f52c',
      reaction_type: 'unicode_emoji',
      status_text: 'in the lab',
    },
  },
  unread_msgs: {
    pms: [{ other_user_id: 2, unread_message_ids: [101, 102] }],
    streams: [
      { stream_id: 1, topic: 'contrast', unread_message_ids: [messages.length] },
      { stream_id: 2, topic: 'rota', unread_message_ids: [104, 105, 106] },
      { stream_id: 3, topic: 'icons', unread_message_ids: [107] },
    ],
    huddles: [],
    mentions: [107],
  },
  starred_messages: [5],
  recent_private_conversations: [
    { user_ids: [2], max_message_id: 102 },
    { user_ids: [3], max_message_id: 90 },
    { user_ids: [4, 5], max_message_id: 80 },
  ],
  presences: Object.fromEntries(
    users.map(({ user_id }) => [
      user_id,
      { active_timestamp: now - (user_id % 3) * 100, idle_timestamp: now - (user_id % 4) * 50 },
    ]),
  ),
  drafts: [],
  saved_snippets: [],
  scheduled_messages: [],
  reminders: [],
  navigation_views: [{ fragment: 'narrow/search/colour', is_pinned: true, name: 'colour' }],
};

export const topics = ['contrast', 'type', 'icons'].map((name, at) => ({
  name,
  max_id: messages.length - at,
}));

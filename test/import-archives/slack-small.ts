/** The files of an export of Slack, by their paths. */
export type ExportFiles = Record<string, unknown>;

const team = 'T0HOME';
const user = (id: string, name: string, more: object = {}, profile: object = {}) => ({
  id,
  team_id: team,
  name: name.toLowerCase(),
  deleted: false,
  real_name: name,
  tz: 'Europe/Berlin',
  profile: { real_name: name, display_name: '', email: `${name.toLowerCase()}@acme.example`, ...profile },
  is_admin: false,
  is_owner: false,
  is_restricted: false,
  is_bot: false,
  ...more,
});

const users = [
  user('U1', 'Olivia', { is_owner: true, is_admin: true, is_primary_owner: true }),
  user('U2', 'Adam', { is_admin: true }, { is_custom_image: true }),
  user('U3', 'Bob'),
  user('U4', 'Gus', { is_restricted: true }),
  user('U5', 'Dora', { deleted: true }),
  user('U6', 'Bob', {}, { email: 'bob2@acme.example' }),
  user('U7', 'Star*Name', {}, { email: undefined }),
  user('U8', 'Elsewhere', { team_id: 'T0OTHER' }, { email: 'else@other.example' }),
  user('UB', 'Helper', { is_bot: true }, { email: undefined }),
];

const topicOf = (value: string) => ({ value, creator: 'U1', last_set: 1_600_000_000 });
const channel = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  created: 1_600_000_000,
  creator: 'U1',
  is_archived: false,
  is_general: false,
  members: ['U1', 'U2', 'U3'],
  topic: topicOf(''),
  purpose: topicOf(''),
  ...more,
});

const channels = [
  channel('C1', 'general', {
    is_general: true,
    purpose: topicOf('For <@U1> & all: *read* it'),
    topic: topicOf('Today'),
    pins: [{ id: '1700000000.000100', type: 'C', created: 1_700_000_100, user: 'U2', owner: 'U1' }],
  }),
  channel('C2', 'old', { is_archived: true }),
];
const groups = [channel('G1', 'secret', { members: ['U1', 'U3'] })];
const dms = [
  { id: 'D1', created: 1_600_000_000, members: ['U1', 'U3'] },
  { id: 'D2', created: 1_600_000_000, members: ['U2', 'U2'] },
];
const mpims = [channel('M1', 'mpdm-olivia--adam--bob-1', { members: ['U1', 'U2', 'U3'] })];

const message = (ts: string, by: string, text: string, more: object = {}) => ({
  type: 'message',
  user: by,
  ts,
  text,
  ...more,
});

const richText = (...elements: object[]) => [{ type: 'rich_text', elements }];
const textBlock = (...elements: object[]) => ({ type: 'rich_text_section', elements });

const firstDay = [
  message(
    '1700000000.000100',
    'U1',
    'Hello <@U3> and <!here>, see <#C2|old> and <https://a.example/x|this *page*>',
  ),
  message('1700000001.000100', 'U2', '*bold* _italic_ ~gone~ `code *x*` a_b_c &lt;tag&gt;\n&gt; quoted', {
    edited: { user: 'U2', ts: '1700000050.000000' },
    reactions: [
      { name: 'thumbsup::skin-tone-3', users: ['U1', 'U3'], count: 2 },
      { name: 'party', users: ['U1'], count: 1 },
      { name: 'ship-it', users: ['U2'], count: 1 },
      { name: 'unknown_one', users: ['U2'], count: 1 },
    ],
  }),
  message(
    '1700000002.000100',
    'U3',
    'Where do we have lunch on Friday, and who of you comes along with us?',
    {
      thread_ts: '1700000002.000100',
      reply_count: 3,
    },
  ),
  message('1700000003.000100', 'U1', 'At the harbour', {
    thread_ts: '1700000002.000100',
    parent_user_id: 'U3',
  }),
  message('1700000004.000100', 'U2', 'Told all', {
    thread_ts: '1700000002.000100',
    subtype: 'thread_broadcast',
  }),
  message(
    '1700000005.000100',
    'U3',
    'Where do we have lunch on Friday, and who of you comes along with us?',
    {
      thread_ts: '1700000005.000100',
      reply_count: 1,
    },
  ),
  message('1700000006.000100', 'U3', 'Again', { thread_ts: '1700000005.000100' }),
  {
    type: 'message',
    subtype: 'tombstone',
    user: 'USLACKBOT',
    text: 'This message was deleted.',
    ts: '1700000007.000100',
    thread_ts: '1700000007.000100',
  },
  message('1700000008.000100', 'U1', 'The reply stays', { thread_ts: '1700000007.000100' }),
  message('1700000009.000100', 'U3', '<@U3> has joined the channel', { subtype: 'channel_join' }),
  message('1700000010.000100', 'U9', 'I am from another company', {
    user_profile: { real_name: 'Nina Next', display_name: 'nina', team: 'T0OTHER' },
  }),
  message('1700000011.000100', 'U10', 'Nobody knows me'),
];

const secondDay = [
  message('1700090000.000100', 'U1', 'fallback', {
    blocks: richText(
      textBlock(
        { type: 'text', text: 'Plan for ' },
        { type: 'user', user_id: 'U6' },
        { type: 'text', text: ': ' },
        { type: 'text', text: 'now ', style: { bold: true } },
        { type: 'emoji', name: 'tada', unicode: '1f389' },
        { type: 'link', url: 'https://b.example/', text: 'a page' },
      ),
      {
        type: 'rich_text_list',
        style: 'ordered',
        indent: 0,
        elements: [textBlock({ type: 'text', text: 'one' }), textBlock({ type: 'text', text: 'two' })],
      },
      { type: 'rich_text_quote', elements: [{ type: 'text', text: 'quoted\ntwice' }] },
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'let a = `1`;' }] },
    ),
  }),
  {
    type: 'message',
    subtype: 'bot_message',
    bot_id: 'B1',
    username: 'Build',
    ts: '1700090001.000100',
    text: 'ignored',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Build 5' } },
      {
        type: 'section',
        text: { type: 'mrkdwn', text: '*passed*' },
        fields: [{ type: 'mrkdwn', text: 'main' }],
      },
      { type: 'divider' },
      { type: 'context', elements: [{ type: 'mrkdwn', text: 'in 5 s' }] },
    ],
  },
  {
    type: 'message',
    subtype: 'bot_message',
    bot_id: 'B1',
    username: 'Deploy',
    ts: '1700090002.000100',
    text: '',
    attachments: [
      {
        title: 'Done',
        title_link: 'https://c.example/',
        text: 'all of it',
        fields: [{ title: 'Took', value: 3 }],
      },
      { from_url: 'https://d.example/', text: 'a preview' },
    ],
  },
  message('1700090003.000100', 'U3', 'two files', {
    files: [
      {
        id: 'F1',
        name: 'notes.txt',
        mimetype: 'text/plain',
        size: 6,
        url_private: 'https://files.slack.example/F1',
      },
      {
        id: 'F2',
        name: 'gone.txt',
        mimetype: 'text/plain',
        size: 6,
        url_private: 'https://files.slack.example/F2',
      },
      { id: 'F3', mode: 'tombstone' },
    ],
  }),
  message('1700090004.000100', 'U2', 'waves', { subtype: 'me_message' }),
];

const emoji = {
  party: 'https://emoji.slack.example/party.png',
  'ship-it': 'alias:rocket',
  lost: 'https://emoji.slack.example/lost.png',
};

/** Returns an export of Slack that has everything that an export can have, once. */
export const smallSlackExport = (): ExportFiles => ({
  'users.json': users,
  'channels.json': channels,
  'groups.json': groups,
  'dms.json': dms,
  'mpims.json': mpims,
  'emoji.json': emoji,
  'integration_logs.json': [],
  'general/2023-11-14.json': firstDay,
  'general/2023-11-15.json': secondDay,
  'old/2023-11-14.json': [message('1700000012.000100', 'U5', 'It was nice here')],
  'secret/2023-11-14.json': [message('1700000013.000100', 'U1', 'Keep it')],
  'D1/2023-11-14.json': [
    message('1700000014.000100', 'U1', 'hi'),
    message('1700000015.000100', 'U3', 'hi yourself', { thread_ts: '1700000014.000100' }),
  ],
  'D2/2023-11-14.json': [message('1700000016.000100', 'U2', 'note to self')],
  'mpdm-olivia--adam--bob-1/2023-11-14.json': [message('1700000017.000100', 'U2', 'three of us')],
  'nowhere/2023-11-14.json': [message('1700000018.000100', 'U2', 'in no list')],
});

/** Files that somebody downloaded: one of two, and the picture of one custom emoji. */
export const smallSlackDownloads: Readonly<Record<string, Buffer>> = {
  'F1-notes.txt': Buffer.from('a file'),
  'emoji/party.png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

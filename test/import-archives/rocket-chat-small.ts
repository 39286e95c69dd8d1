import type { Database } from './dump.ts';

const timeAt = (second: number) => new Date(1_700_000_000_000 + second * 1000);

const user = (id: string, name: string, more: object = {}) => ({
  _id: id,
  createdAt: timeAt(-1000),
  username: name.toLowerCase(),
  name: `${name} Example`,
  type: 'user',
  roles: ['user'],
  active: true,
  emails: [{ address: `${name.toLowerCase()}@acme.example`, verified: true }],
  services: { password: { bcrypt: 'not read' } },
  utcOffset: 1,
  ...more,
});

const users = [
  user('u1', 'Olivia', { roles: ['user', 'admin'], avatarETag: 'a1', avatarOrigin: 'upload' }),
  user('u2', 'Adam'),
  user('u3', 'Bob.B'),
  user('u4', 'Gus', { roles: ['guest'] }),
  user('u5', 'Dora', { active: false }),
  user('u6', 'Emil', { emails: [] }),
  { _id: 'b1', username: 'helper', name: 'Helper', type: 'bot', roles: ['bot'], active: true },
];

const room = (id: string, t: string, more: object = {}) => ({
  _id: id,
  t,
  ts: timeAt(-900),
  msgs: 1,
  u: { _id: 'u1', username: 'olivia' },
  ...more,
});

const rooms = [
  room('d-inner', 'c', { name: 'Zk3', fname: 'Which harbour?', prid: 'd-public' }),
  room('GENERAL', 'c', { name: 'general', topic: 'Today', description: 'For all', default: true }),
  room('r-dev', 'p', { name: 'dev', fname: 'Development' }),
  room('r-attic', 'c', { name: 'attic', archived: true }),
  room('r-news', 'c', { name: 'news', ro: true, announcement: 'Read it' }),
  room('r-team', 'c', { name: 'crew', teamMain: true, teamId: 't1' }),
  room('d-public', 'c', { name: 'Xy1', fname: 'Where is lunch?', prid: 'GENERAL' }),
  room('d-private', 'p', { name: 'Wv2', fname: 'Only us', prid: 'r-dev' }),
  room('u1u3', 'd', { uids: ['u1', 'u3'], usernames: ['olivia', 'bob.b'] }),
  room('group', 'd', { uids: ['u1', 'u2', 'u3'], usernames: ['olivia', 'adam', 'bob.b'] }),
  room('own', 'd', { uids: ['u2'], usernames: ['adam'] }),
  room('early', 'd', { usernames: ['adam', 'dora'] }),
  room('live', 'l', { v: { _id: 'v1', username: 'guest-1' } }),
  room('call', 'v'),
];

const memberships: Readonly<Record<string, readonly string[]>> = {
  GENERAL: ['u1', 'u2', 'u3', 'u4'],
  'r-dev': ['u1', 'u2'],
  'r-attic': ['u1'],
  'd-private': ['u1', 'u5'],
  'd-public': ['u1'],
  live: ['u1'],
};

const subscriptions = Object.entries(memberships).flatMap(([rid, members]) =>
  members.map((id) => ({ _id: `${rid} ${id}`, rid, u: { _id: id }, t: 'c', open: true, f: true })),
);

const names: Readonly<Record<string, object>> = Object.fromEntries(
  users.map(({ _id, username, name }) => [_id, { _id, username, name }]),
);

let made = 0;
const message = (second: number, by: string, msg: string, more: object = {}, rid = 'GENERAL') => {
  made += 1;
  return {
    _id: `m${made}`,
    rid,
    msg,
    ts: timeAt(second),
    u: names[by] ?? { _id: by },
    md: [{ type: 'X' }],
    ...more,
  };
};

const file = (id: string, name: string, more: object = {}) => ({
  _id: id,
  name,
  type: 'text/plain',
  size: 5,
  ...more,
});

const messages = [
  message(30, 'u1', 'Later @bob.b. and @all, see #dev and `@adam` :party: :slight_smile:', {
    pinned: true,
    pinnedBy: { _id: 'u2' },
    starred: [{ _id: 'u3' }, { _id: 'u2' }],
  }),
  message(
    10,
    'u2',
    '*bold* **bold** _it_ ~gone~ a_b_c https://a.example/x_y_z [page](https://b.example/) <https://c.example|see>',
    {
      editedAt: timeAt(40),
      editedBy: { _id: 'u2' },
      reactions: {
        ':thumbsup:': { usernames: ['bob.b', 'olivia'] },
        ':fiesta:': { usernames: ['bob.b'] },
        ':lost:': { usernames: ['olivia'] },
        ':+1_tone2:': { usernames: ['nobody.here'] },
      },
    },
  ),
  message(15, 'u3', 'Who has the keys, @adam?', { _id: 'root', tcount: 2, tlm: timeAt(51), replies: ['u2'] }),
  message(50, 'u2', 'I have', {
    tmid: 'root',
    file: file('f1', 'keys.txt'),
    files: [file('f1', 'keys.txt'), file('f1t', 'thumb-keys', { typeGroup: 'thumb' })],
    attachments: [
      { type: 'file', title: 'keys.txt', title_link: '/file-upload/f1/keys.txt', description: 'All *keys*' },
    ],
  }),
  message(51, 'u3', 'Thanks', { tmid: 'root', tshow: true }),
  message(52, 'u1', '```let a = `1`;```\n```\nlet b;\n```', {
    attachments: [
      {
        title: 'Build',
        title_link: 'https://d.example/',
        text: '_green_',
        fields: [{ title: 'Took', value: 3 }],
      },
    ],
  }),
  message(53, 'u1', '[ ](https://chat.example/channel/general?msg=root) so do I', {
    attachments: [
      {
        message_link: 'https://chat.example/channel/general?msg=root',
        author_name: 'bob.b',
        text: 'Who has the keys?',
      },
    ],
  }),
  message(54, 'u2', 'Two files', {
    files: [file('f2', 'cut.txt'), file('f3', 'gone.txt'), file('f4', 'given.txt')],
  }),
  message(16, 'u3', 'bob.b', { t: 'uj' }),
  message(17, 'u1', '', { t: 'rm', editedAt: timeAt(18) }),
  message(18, 'u1', 'gibberish', { t: 'e2e', e2e: 'pending' }, 'r-dev'),
  message(19, 'u1', 'an earlier text', { _hidden: true, parent: 'm2' }),
  message(20, 'u1', 'Where is lunch?', { t: 'discussion-created', drid: 'd-public' }),
  message(21, 'b1', 'I am a bot', { alias: 'Build 5', bot: { i: 'w1' } }, 'r-dev'),
  message(22, 'u9', 'I was deleted', { u: { _id: 'u9', username: 'nina', name: 'Nina Next' } }),
  message(23, 'u1', ''),
  message(60, 'u2', 'At the harbour', {}, 'd-public'),
  message(61, 'u1', 'The old one', {}, 'd-inner'),
  message(62, 'u5', 'Tell nobody', {}, 'd-private'),
  message(63, 'u5', 'It was nice here', {}, 'r-attic'),
  message(64, 'u1', 'News', {}, 'r-news'),
  message(70, 'u3', 'just us', {}, 'u1u3'),
  message(71, 'u1', 'three', {}, 'group'),
  message(72, 'u2', 'note to self', {}, 'own'),
  message(73, 'u5', 'long ago', {}, 'early'),
  message(74, 'u1', 'How can I help?', {}, 'live'),
  message(75, 'u1', 'ringing', {}, 'call'),
  message(76, 'u1', 'in no list', {}, 'nowhere'),
  message(80, 'u1', 'one of two', { _id: 'ring1', tmid: 'ring2', tcount: 1 }),
  message(81, 'u2', 'two of two', { _id: 'ring2', tmid: 'ring1', tcount: 1 }),
];

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A dump of Rocket.Chat's database that has everything that one can have, once. */
export const smallRocketChatDatabase: Database = {
  users,
  rocketchat_room: rooms,
  rocketchat_subscription: subscriptions,
  rocketchat_message: messages,
  rocketchat_custom_emoji: [
    { _id: 'e1', name: 'party', aliases: ['fiesta'], extension: 'png' },
    { _id: 'e2', name: 'lost', aliases: [], extension: 'png' },
  ],
  'custom_emoji.files': [{ _id: 'p1', filename: 'party.png', length: picture.length, chunkSize: 261_120 }],
  'custom_emoji.chunks': [{ _id: 'c0', files_id: 'p1', n: 0, data: picture }],
  'rocketchat_uploads.files': [
    { _id: 'f1', filename: 'f1', length: 5, chunkSize: 4 },
    { _id: 'f1t', filename: 'f1t', length: 1, chunkSize: 4 },
    { _id: 'f2', filename: 'f2', length: 5, chunkSize: 4 },
  ],
  'rocketchat_uploads.chunks': [
    { _id: 'c2', files_id: 'f1', n: 1, data: Buffer.from('y') },
    { _id: 'c3', files_id: 'f2', n: 0, data: Buffer.from('only') },
    { _id: 'c1', files_id: 'f1', n: 0, data: Buffer.from('a ke') },
    { _id: 'c4', files_id: 'f1t', n: 0, data: Buffer.from('t') },
  ],
  rocketchat_settings: [{ _id: 'Site_Name', value: 'not read' }],
};

/** A file that the server kept in a folder of its own. */
export const smallRocketChatDownloads: Readonly<Record<string, Buffer>> = {
  'f4.txt': Buffer.from('from the disk'),
};

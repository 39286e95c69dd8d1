import type { LazyFile } from './zip.ts';

const at = (second: number) => 1_700_000_000_000 + second * 1000;

const user = (username: string, more: object = {}, channels: readonly string[] = ['town-square', 'dev']) => ({
  type: 'user',
  user: {
    username,
    email: `${username}@acme.example`,
    nickname: '',
    first_name: username.replace(/^./, (letter) => letter.toUpperCase()),
    last_name: 'Example',
    roles: 'system_user',
    delete_at: 0,
    teams: [
      {
        name: 'acme',
        roles: 'team_user',
        channels: channels.map((name) => ({ name, roles: 'channel_user' })),
      },
    ],
    ...more,
  },
});

const channel = (name: string, displayName: string, more: object = {}) => ({
  type: 'channel',
  channel: { team: 'acme', name, display_name: displayName, type: 'O', header: '', purpose: '', ...more },
});

const post = (second: number, by: string, message: string, more: object = {}, where = 'town-square') => ({
  type: 'post',
  post: { team: 'acme', channel: where, user: by, message, create_at: at(second), edit_at: 0, ...more },
});

const reply = (second: number, by: string, message: string, more: object = {}) => ({
  user: by,
  message,
  create_at: at(second),
  ...more,
});

/** Lines of a bulk export that has everything that an export can have, once. */
export const smallMattermostLines: readonly object[] = [
  { type: 'version', version: 1, info: { generator: 'mattermost-server', version: '10.5.0' } },
  { type: 'emoji', emoji: { name: 'party', image: 'exported_emoji/1/image' } },
  { type: 'emoji', emoji: { name: 'lost', image: 'exported_emoji/2/image' } },
  { type: 'team', team: { name: 'acme', display_name: 'Acme', type: 'I', description: '' } },
  channel('town-square', 'Town Square', { purpose: 'For all', header: '**Today**' }),
  channel('dev', 'Development', { type: 'P' }),
  channel('attic', 'Attic', { deleted_at: at(0) }),
  user('olivia', { roles: 'system_admin system_user', profile_image: 'profile_pictures/olivia.png' }),
  user('adam'),
  user('bob', { nickname: 'Bobby' }, ['town-square']),
  user('gus', { roles: 'system_guest' }, ['town-square']),
  user('dora', { delete_at: at(1) }, []),
  {
    type: 'bot',
    bot: { username: 'helper', owner: 'olivia', display_name: 'Helper', description: '', delete_at: 0 },
  },
  post(30, 'olivia', 'Later @bob. and @all, see ~dev and `@adam`', { is_pinned: true, flagged_by: ['adam'] }),
  post(10, 'adam', '**Markdown** _stays_', {
    edit_at: at(40),
    reactions: [
      { user: 'bob', create_at: at(11), emoji_name: '+1' },
      { user: 'olivia', create_at: at(12), emoji_name: '+1' },
      { user: 'bob', create_at: at(13), emoji_name: 'party' },
      { user: 'bob', create_at: at(14), emoji_name: 'lost' },
    ],
  }),
  post(15, 'bob', 'Who has the keys, @adam?', {
    replies: [
      reply(50, 'adam', 'I have', { attachments: [{ path: '20231114/keys.txt' }] }),
      reply(51, 'bob', 'Thanks', { delete_at: at(52) }),
    ],
  }),
  post(16, 'bob', 'bob joined the channel.', { type: 'system_join_channel' }),
  post(17, 'helper', 'I am a bot', {}, 'dev'),
  post(18, 'nobody', 'Unknown', { attachments: [{ path: '20231114/missing.txt' }] }),
  post(19, 'dora', 'gone by now', { type: 'me' }, 'attic'),
  { type: 'direct_channel', direct_channel: { members: ['olivia', 'bob'], header: '' } },
  {
    type: 'direct_channel',
    direct_channel: { participants: [{ username: 'olivia' }, { username: 'bob' }, { username: 'adam' }] },
  },
  {
    type: 'direct_post',
    direct_post: {
      channel_members: ['bob', 'olivia'],
      user: 'bob',
      message: 'just us',
      create_at: at(60),
      replies: [reply(61, 'olivia', 'yes')],
    },
  },
  {
    type: 'direct_post',
    direct_post: {
      channel_members: ['olivia', 'bob', 'adam'],
      user: 'adam',
      message: 'three',
      create_at: at(62),
    },
  },
];

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Returns the files of a bulk export with attachments. */
export const smallMattermostExport = (lines: readonly object[] = smallMattermostLines): LazyFile[] => [
  {
    path: 'import.jsonl',
    content: () => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
  },
  { path: 'data/20231114/keys.txt', content: () => Buffer.from('a key') },
  { path: 'data/exported_emoji/1/image', content: () => picture },
];

import type { LazyFile } from './zip.ts';
import { type Tables, at, ids, realm } from './zulip-small-ids.ts';
import { smallRealm } from './zulip-small.ts';

const message = (
  id: number,
  sender: number,
  recipient: number,
  subject: string,
  content: string,
  more: object = {},
) => ({
  id,
  sender,
  recipient,
  realm,
  subject,
  content,
  rendered_content: '<script>alert(1)</script>',
  rendered_content_version: 1,
  date_sent: at(id),
  sending_client: 1,
  last_edit_time: null,
  edit_history: null,
  has_attachment: false,
  has_image: false,
  has_link: false,
  is_channel_message: recipient < 210,
  type: 1,
  search_tsvector: null,
  ...more,
});

const flags = (id: number, user: number, of: number, mask: number) => ({
  id,
  user_profile: user,
  message: of,
  flags_mask: mask,
});

const direct = '\u0007';

/** The messages of that export, in two files. */
export const smallMessages = (): Tables[] => [
  {
    zerver_message: [
      message(501, ids.olivia, 201, 'Lunch', 'Who comes, @**Adam Example** and @*writers*?'),
      message(
        502,
        ids.adam,
        201,
        'lunch',
        'see [plan.txt](/user_uploads/7/ab/Folder_1/plan.txt) and [gone](/user_uploads/7/cd/Folder_2/gone.txt)',
        {
          has_attachment: true,
          has_link: true,
          last_edit_time: at(900),
          edit_history: JSON.stringify([
            {
              user_id: ids.olivia,
              timestamp: 1_700_000_900,
              prev_topic: 'Dinner',
              topic: 'lunch',
              prev_stream: 22,
              stream: 21,
            },
            {
              user_id: ids.adam,
              timestamp: 1_700_000_800,
              prev_content: 'first text',
              prev_rendered_content: '<script>',
              prev_rendered_content_version: 1,
            },
          ]),
        },
      ),
      message(503, ids.adam, 201, '', '@**all** general'),
      message(504, ids.olivia, 202, 'plans', 'a secret', { sending_client: 2 }),
    ],
    zerver_usermessage: [
      flags(1, ids.olivia, 501, 1),
      flags(2, ids.adam, 501, 8 | 64),
      flags(3, ids.bob, 501, 1 | 2),
      flags(4, ids.olivia, 502, 0),
      flags(5, ids.adam, 502, 1 | 512),
      flags(6, ids.olivia, 503, 16),
      flags(7, ids.adam, 503, 1),
      flags(8, ids.olivia, 504, 1),
      flags(9, ids.bob, 502, 2 | 1024),
    ],
  },
  {
    zerver_message: [
      message(505, ids.adam, 213, direct, 'just us'),
      message(506, ids.bob, 221, direct, 'three of us'),
      message(507, ids.notification, 211, direct, 'Welcome'),
      message(508, ids.gateway, 201, 'mail', 'from outside'),
      message(509, 999, 201, 'mail', 'from nobody'),
      message(510, ids.dora, 203, 'old', ''),
      message(511, ids.adam, 288, 'x', 'nowhere'),
    ],
    zerver_usermessage: [
      flags(10, ids.adam, 505, 1),
      flags(11, ids.bob, 505, 0),
      flags(12, ids.bob, 506, 1),
      flags(13, ids.adam, 506, 1),
      flags(14, ids.olivia, 506, 0),
      flags(15, ids.olivia, 507, 1 | 4),
      flags(16, ids.olivia, 508, 0),
      flags(17, ids.adam, 508, 32),
    ],
  },
];

/** The uploads of that export. */
const smallAttachments = (): Tables => ({
  zerver_attachment: [
    {
      id: 81,
      realm,
      owner: ids.adam,
      file_name: 'plan.txt',
      path_id: '7/ab/Folder_1/plan.txt',
      create_time: at(1),
      size: 6,
      content_type: 'text/plain',
      messages: [502, 999],
      scheduled_messages: [61],
    },
    {
      id: 82,
      realm,
      owner: ids.adam,
      file_name: 'gone.txt',
      path_id: '7/cd/Folder_2/gone.txt',
      create_time: at(1),
      size: 6,
      content_type: 'text/plain',
      messages: [502],
      scheduled_messages: [],
    },
    {
      id: 83,
      realm,
      owner: ids.bob,
      file_name: 'dot.png',
      path_id: '7/ef/Folder_3/dot.png',
      create_time: at(2),
      size: 70,
      content_type: 'image/png',
      messages: [],
      scheduled_messages: [],
    },
  ],
});

/** A picture of one point. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const root = 'zulip-export-x1';
/** The folders of that export. */
export const zulipFolders = ['', 'uploads/', 'avatars/', 'emoji/'].map((folder) => `${root}/${folder}`);

const json = (path: string, value: unknown): LazyFile => ({
  path: `${root}/${path}`,
  content: () => Buffer.from(JSON.stringify(value, null, 2)),
});
const file = (path: string, content: Buffer): LazyFile => ({
  path: `${root}/${path}`,
  content: () => content,
});
const record = (path: string, more: object) => ({ realm_id: realm, path, s3_path: path, ...more });

interface SmallExport {
  realm?: unknown;
  messages?: readonly unknown[];
}

/** Returns the files of that export. */
export const smallZulipExport = ({
  realm: tables = { ...smallRealm(), import_source: 'zulip' },
  messages = smallMessages(),
}: SmallExport = {}): LazyFile[] => [
  ...messages.map((one, index) => json(`messages-${String(index + 1).padStart(6, '0')}.json`, one)),
  json('realm.json', tables),
  json('attachment.json', smallAttachments()),
  json('analytics.json', { analytics_realmcount: [{ id: 1 }] }),
  json('migration_status.json', { migrations_by_app: {}, zulip_version: '11.0' }),
  json('uploads/records.json', [
    record('7/ab/Folder_1/plan.txt', { user_profile_id: ids.adam }),
    record('7/ef/Folder_3/dot.png', { user_profile_id: ids.bob }),
  ]),
  file('uploads/7/ab/Folder_1/plan.txt', Buffer.from('a plan')),
  file('uploads/7/ef/Folder_3/dot.png', picture),
  json('avatars/records.json', [
    record('7/abc.png', { user_profile_id: ids.olivia }),
    record('7/abc-medium.png', { user_profile_id: ids.olivia }),
    record('7/abc.original', { user_profile_id: ids.olivia }),
    record('7/def.original', { user_profile_id: ids.adam }),
    record('7/ghi.original', { user_profile_id: ids.bob }),
  ]),
  ...['7/abc.png', '7/abc-medium.png', '7/abc.original', '7/def.original'].map((path) =>
    file(`avatars/${path}`, picture),
  ),
  file('avatars/7/ghi.original', Buffer.from('no picture')),
  json('emoji/records.json', [
    record('7/emoji/images/51.png', { file_name: '51.png', name: 'party', author: ids.olivia }),
    record('7/emoji/images/51.png.original', { file_name: '51.png', name: 'party', author: ids.olivia }),
  ]),
  file('emoji/7/emoji/images/51.png', picture),
  file('emoji/7/emoji/images/51.png.original', picture),
  json('realm_icons/records.json', [record('7/icon.png', {}), record('7/icon.original', {})]),
  file('realm_icons/7/icon.png', picture),
  file('realm_icons/7/icon.original', picture),
];

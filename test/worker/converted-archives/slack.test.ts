import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { smallSlackDownloads, smallSlackExport } from '../../import-archives/slack-small.ts';
import { jsonFiles, writeZip } from '../../import-archives/zip.ts';
import { type Elsewhere, parleyJson, startElsewhere, withProcesses } from '../../support/index.ts';
import { badHtml } from '../hostile-archives/deployment.ts';
import { messagesOf, peopleOf } from './contents.ts';

const folder = await mkdtemp(join(tmpdir(), 'parley-slack-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = join(folder, 'export.zip');
const files = join(folder, 'files');
await writeZip(file, jsonFiles(smallSlackExport()));
for (const [path, content] of Object.entries(smallSlackDownloads)) {
  await mkdir(dirname(join(files, path)), { recursive: true });
  await writeFile(join(files, path), content);
}

const everything = {
  people: { read: 10, kept: 10, changed: 8, leftOut: 0 },
  bots: { read: 2, kept: 2, changed: 0, leftOut: 0 },
  channels: { read: 3, kept: 3, changed: 0, leftOut: 0 },
  conversations: { read: 3, kept: 3, changed: 0, leftOut: 0 },
  messages: { read: 24, kept: 21, changed: 3, leftOut: 3 },
  reactions: { read: 5, kept: 4, changed: 0, leftOut: 1 },
  files: { read: 3, kept: 1, changed: 0, leftOut: 2 },
  emoji: { read: 2, kept: 1, changed: 0, leftOut: 1 },
  stars: { read: 1, kept: 1, changed: 0, leftOut: 0 },
};

const lunch = 'Where do we have lunch on Friday, and who of you...';

const expectedMessages = [
  [
    'general > ',
    'Olivia',
    'Hello @**Bob|5** and @**all**, see #**old** and [this *page*](https://a.example/x)',
  ],
  ['general > ', 'Adam', '**bold** *italic* ~~gone~~ `code *x*` a_b_c <tag>\n> quoted'],
  [`general > ${lunch}`, 'Bob', 'Where do we have lunch on Friday, and who of you comes along with us?'],
  [`general > ${lunch}`, 'Olivia', 'At the harbour'],
  [`general > ${lunch}`, 'Adam', 'Told all'],
  [`general > ${lunch} (2)`, 'Bob', 'Where do we have lunch on Friday, and who of you comes along with us?'],
  [`general > ${lunch} (2)`, 'Bob', 'Again'],
  ['general > The reply stays', 'Olivia', 'The reply stays'],
  ['general > ', 'Nina Next', 'I am from another company'],
  ['general > ', 'Unknown U10', 'Nobody knows me'],
  ['old > ', 'Dora', 'It was nice here'],
  ['secret > ', 'Olivia', 'Keep it'],
  ['2 people', 'Olivia', 'hi'],
  ['2 people', 'Bob', 'hi yourself'],
  ['1 people', 'Adam', 'note to self'],
  ['3 people', 'Adam', 'three of us'],
  [
    'general > ',
    'Olivia',
    'Plan for @**Bob|8**: **now** :tada:[a page](https://b.example/)\n1. one\n2. two\n\n> quoted\n> twice\n\n```\nlet a = `1`;\n```',
  ],
  ['general > ', 'Build', '## Build 5\n\n**passed**\nmain\n\n---\n\nin 5 s'],
  ['general > ', 'Build', '**Deploy**: [Done](https://c.example/)\nall of it\n**Took**: 3'],
  [
    'general > ',
    'Bob',
    expect.stringMatching(
      /^two files\n\n\[gone\.txt\]\(https:\/\/files\.slack\.example\/F2\)\n\[notes\.txt\]\(\/user_uploads\/1\/[\w-]{24}\/notes\.txt\)$/,
    ),
  ],
  ['general > ', 'Adam', '/me waves'],
];

async function expectPeopleAndPlaces(elsewhere: Elsewhere): Promise<void> {
  const { sql } = elsewhere;
  expect(await peopleOf(elsewhere)).toEqual([
    ['Olivia', 'olivia@acme.example', 100, true, false],
    ['Adam', 'adam@acme.example', 200, true, false],
    ['Bob', 'bob@acme.example', 400, true, false],
    ['Gus', 'gus@acme.example', 600, true, false],
    ['Dora', 'dora@acme.example', 400, false, false],
    ['Bob', 'bob2@acme.example', 400, true, false],
    ['StarName', 'u7@slack.invalid', 400, true, false],
    ['Elsewhere', 'else@other.example', 600, false, false],
    ['Helper', 'ub@slack.invalid', 400, true, true],
    ['Nina Next', 'u9@slack.invalid', 600, false, false],
    ['Unknown U10', 'u10@slack.invalid', 400, false, false],
    ['Build', 'bot-b1@slack.invalid', 400, true, true],
  ]);
  const channels = await sql`
    select name, description, is_private as private, is_archived as archived, is_default as first,
      (select count(*)::int from conversation_members m where m.conversation_id = c.conversation_id and is_subscribed) as members
    from channels c order by id`;
  expect(channels).toEqual([
    {
      name: 'general',
      description: 'For @**Olivia** & all: **read** it – Today',
      private: false,
      archived: false,
      first: true,
      members: 3,
    },
    { name: 'old', description: '', private: false, archived: true, first: false, members: 3 },
    { name: 'secret', description: '', private: true, archived: false, first: false, members: 2 },
  ]);
}

async function expectBelongings({ sql }: Elsewhere): Promise<void> {
  const reactions = await sql`
    select u.full_name as who, r.emoji_name as emoji, r.reaction_type as type from reactions r
    join users u on u.id = r.user_id order by r.id`;
  expect(reactions).toEqual([
    { who: 'Olivia', emoji: '+1', type: 'unicode_emoji' },
    { who: 'Bob', emoji: '+1', type: 'unicode_emoji' },
    { who: 'Olivia', emoji: 'party', type: 'realm_emoji' },
    { who: 'Adam', emoji: 'rocket', type: 'unicode_emoji' },
  ]);
  const flags = await sql`
    select u.full_name as who, f.starred, f.mentioned from message_flags f join users u on u.id = f.user_id
    order by f.message_id, f.user_id`;
  expect(flags).toEqual([
    { who: 'Adam', starred: true, mentioned: false },
    { who: 'Bob', starred: false, mentioned: true },
  ]);
  const [edited] =
    await sql`select extract(epoch from edited_at)::int as at from messages where edited_at is not null`;
  expect(edited).toEqual({ at: 1_700_000_050 });
  const [unread] = await sql`
    select count(*)::int as count from conversation_members m join conversation_heads h using (conversation_id)
    where not m.read @> int8range(1, h.ordinal + 1) and h.ordinal > 0`;
  expect(unread).toEqual({ count: 0 });
  const [time] = await sql`select sent_at::text as at from messages where id = 1`;
  expect(String(time?.['at'])).toContain(':13:20.0001');
}

test('an export of Slack becomes an organization with all that it has', withProcesses, async () => {
  await using elsewhere = await startElsewhere();
  const env = { DATABASE_URL: elsewhere.databaseUrl, UPLOADS_DIR: elsewhere.uploads };
  const report = join(folder, 'report.html');
  const args = ['import', file, '--name', 'acme', '--files', files, '--report', report];
  const imported = await parleyJson<{ id: number }>(args, { env });
  expect(imported).toMatchObject({
    realm: 'acme',
    messages: 21,
    is_renumbered: false,
    report: { source: 'slack', kinds: everything, conflicts: [], notes: [] },
  });
  expect(await messagesOf(elsewhere)).toEqual(expectedMessages);
  await expectPeopleAndPlaces(elsewhere);
  await expectBelongings(elsewhere);
  expect(await badHtml(elsewhere, imported.id)).toEqual([]);
  const [upload] = await elsewhere.sql`select path_id as path from attachments`;
  const stored = String(upload?.['path']).split('/').slice(0, 2).join('/');
  expect(await readFile(join(elsewhere.uploads, 'uploads', stored, 'original'), 'utf8')).toBe('a file');
  expect(await readFile(report, 'utf8')).toContain('<h1>Import from slack</h1>');
  expect(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))).toMatchObject({
    kinds: everything,
  });
});

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterAll, expect, test } from 'vitest';

import { dumpArchive, dumpFiles, writeFolder, writeTar } from '../../import-archives/dump.ts';
import {
  smallRocketChatDatabase,
  smallRocketChatDownloads,
} from '../../import-archives/rocket-chat-small.ts';
import { writeZip } from '../../import-archives/zip.ts';
import { type Elsewhere, parleyJson, startElsewhere, withProcesses } from '../../support/index.ts';
import { badHtml } from '../hostile-archives/deployment.ts';
import { messagesOf, peopleOf } from './contents.ts';

const folder = await mkdtemp(join(tmpdir(), 'parley-rocket-chat-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const files = join(folder, 'files');
await mkdir(files);
for (const [path, content] of Object.entries(smallRocketChatDownloads)) {
  await writeFile(join(files, path), content);
}

const everything = {
  people: { read: 7, kept: 7, changed: 4, leftOut: 0 },
  bots: { read: 1, kept: 1, changed: 0, leftOut: 0 },
  channels: { read: 8, kept: 8, changed: 4, leftOut: 0 },
  conversations: { read: 6, kept: 4, changed: 0, leftOut: 2 },
  messages: { read: 30, kept: 21, changed: 2, leftOut: 9 },
  reactions: { read: 5, kept: 3, changed: 0, leftOut: 2 },
  files: { read: 4, kept: 2, changed: 0, leftOut: 2 },
  emoji: { read: 2, kept: 1, changed: 0, leftOut: 1 },
  stars: { read: 2, kept: 2, changed: 0, leftOut: 0 },
};

const keys = 'general > Who has the keys, @Adam Example?';
const expectedMessages = [
  [
    'general > ',
    'Adam Example',
    '**bold** **bold** *it* ~~gone~~ a_b_c https://a.example/x_y_z [page](https://b.example/) [see](https://c.example)',
  ],
  [keys, 'Bob.B Example', 'Who has the keys, @**Adam Example**?'],
  ['Development > ', 'Helper', '**Build 5**: I am a bot'],
  ['general > ', 'Nina Next', 'I was deleted'],
  [
    'general > ',
    'Olivia Example',
    'Later @**Bob.B Example**. and @**all**, see #**Development** and `@adam` :party: :slight_smile:',
  ],
  [
    keys,
    'Adam Example',
    expect.stringMatching(
      /^I have\n\nAll \*\*keys\*\*\n\[keys\.txt\]\(\/user_uploads\/1\/[\w-]{24}\/keys\.txt\)$/,
    ),
  ],
  [keys, 'Bob.B Example', 'Thanks'],
  [
    'general > ',
    'Olivia Example',
    '```\nlet a = `1`;\n```\n\n```\nlet b;\n```\n\n[Build](https://d.example/)\n*green*\n**Took**: 3',
  ],
  ['general > ', 'Olivia Example', '> **bob.b**:\n> Who has the keys?\n\nso do I'],
  [
    'general > ',
    'Adam Example',
    expect.stringMatching(
      /^Two files\n\n\*cut\.txt\*\n\n\*gone\.txt\*\n\[given\.txt\]\(\/user_uploads\/1\/[\w-]{24}\/given\.txt\)$/,
    ),
  ],
  ['general > Where is lunch?', 'Adam Example', 'At the harbour'],
  ['general > Which harbour?', 'Olivia Example', 'The old one'],
  ['Only us > ', 'Dora Example', 'Tell nobody'],
  ['attic > ', 'Dora Example', 'It was nice here'],
  ['news > ', 'Olivia Example', 'News'],
  ['2 people', 'Bob.B Example', 'just us'],
  ['3 people', 'Olivia Example', 'three'],
  ['1 people', 'Adam Example', 'note to self'],
  ['2 people', 'Dora Example', 'long ago'],
  // Two threads that lie in each other are topics like any other.
  ['general > one of two', 'Olivia Example', 'one of two'],
  ['general > two of two', 'Adam Example', 'two of two'],
];

async function expectPeopleAndPlaces(elsewhere: Elsewhere): Promise<void> {
  const { sql } = elsewhere;
  expect(await peopleOf(elsewhere)).toEqual([
    ['Olivia Example', 'olivia@acme.example', 100, true, false],
    ['Adam Example', 'adam@acme.example', 400, true, false],
    ['Bob.B Example', 'bob.b@acme.example', 400, true, false],
    ['Gus Example', 'gus@acme.example', 600, true, false],
    ['Dora Example', 'dora@acme.example', 400, false, false],
    ['Emil Example', 'u6@rocketchat.invalid', 400, true, false],
    ['Helper', 'b1@rocketchat.invalid', 400, true, true],
    ['Nina Next', 'u9@rocketchat.invalid', 400, false, false],
  ]);
  const channels = await sql<
    { name: string; about: string; private: boolean; archived: boolean; first: boolean; members: number }[]
  >`select name, description as about, is_private as private, is_archived as archived, is_default as first,
      (select count(*)::int from conversation_members m where m.conversation_id = c.conversation_id) as members
    from channels c order by id`;
  expect(
    channels.map((one) => [one.name, one.about, one.private, one.archived, one.first, one.members]),
  ).toEqual([
    ['general', 'Today – For all', false, false, true, 4],
    ['Development', '', true, false, false, 2],
    ['attic', '', false, true, false, 1],
    ['news', 'Read it', false, false, false, 0],
    ['crew', '', false, false, false, 0],
    ['Only us', '', true, false, false, 2],
  ]);
}

async function expectBelongings({ sql, uploads }: Elsewhere): Promise<void> {
  const reactions = await sql<{ who: string; emoji: string; type: string }[]>`
    select u.full_name as who, r.emoji_name as emoji, r.reaction_type as type from reactions r
    join users u on u.id = r.user_id order by r.id`;
  expect(reactions.map(({ who, emoji, type }) => [who, emoji, type])).toEqual([
    ['Bob.B Example', '+1', 'unicode_emoji'],
    ['Olivia Example', '+1', 'unicode_emoji'],
    ['Bob.B Example', 'party', 'realm_emoji'],
  ]);
  const flags = await sql<{ who: string; starred: boolean; mentioned: boolean }[]>`
    select u.full_name as who, f.starred, f.mentioned from message_flags f join users u on u.id = f.user_id
    order by f.message_id, f.user_id`;
  expect(flags.map(({ who, starred, mentioned }) => [who, starred, mentioned])).toEqual([
    ['Adam Example', false, true],
    ['Adam Example', true, false],
    ['Bob.B Example', true, true],
  ]);
  const [edited] =
    await sql`select extract(epoch from edited_at)::int as at from messages where edited_at is not null`;
  expect(edited).toEqual({ at: 1_700_000_040 });
  const stored = await sql<{ path: string }[]>`select path_id as path from attachments order by id`;
  const contents = stored.map(({ path }) =>
    readFile(join(uploads, 'uploads', path.split('/').slice(0, 2).join('/'), 'original'), 'utf8'),
  );
  expect(await Promise.all(contents)).toEqual(['a key', 'from the disk']);
}

test('a dump of Rocket.Chat becomes an organization with all that it has', withProcesses, async () => {
  const dump = join(folder, 'dump');
  await writeFolder(dump, dumpFiles(smallRocketChatDatabase));
  await using elsewhere = await startElsewhere();
  const env = { DATABASE_URL: elsewhere.databaseUrl, UPLOADS_DIR: elsewhere.uploads };
  const args = ['import', dump, '--name', 'acme', '--files', files];
  const imported = await parleyJson<{ id: number }>(args, { env });
  expect(imported).toMatchObject({
    messages: 21,
    report: { source: 'rocketchat', kinds: everything, conflicts: [], notes: [] },
  });
  expect(await messagesOf(elsewhere)).toEqual(expectedMessages);
  await expectPeopleAndPlaces(elsewhere);
  await expectBelongings(elsewhere);
  expect(await badHtml(elsewhere, imported.id)).toEqual([]);
});

const packings: readonly (readonly [string, (path: string) => Promise<void>])[] = [
  [
    'in files that gzip packed',
    async (path) => await writeFolder(path, dumpFiles(smallRocketChatDatabase, { isPacked: true })),
  ],
  ['in a tar file', async (path) => await writeTar(path, dumpFiles(smallRocketChatDatabase))],
  [
    'in a ZIP file',
    async (path) =>
      await writeZip(
        path,
        dumpFiles(smallRocketChatDatabase).map((file) => ({ ...file, content: () => file.content })),
      ),
  ],
  ['in one file', async (path) => await writeFile(path, dumpArchive(smallRocketChatDatabase))],
  [
    'in one file that gzip packed',
    async (path) => await writeFile(path, gzipSync(dumpArchive(smallRocketChatDatabase))),
  ],
];

test.each(packings)('a dump of Rocket.Chat %s has the same plan', withProcesses, async (name, write) => {
  const path = join(folder, name);
  await write(path);
  expect(await parleyJson(['import', path, '--plan', '--files', files])).toMatchObject({
    plan: { source: 'rocketchat', kinds: everything },
  });
});

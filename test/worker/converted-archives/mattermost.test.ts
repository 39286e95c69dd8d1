import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { smallMattermostExport, smallMattermostLines } from '../../import-archives/mattermost-small.ts';
import { writeZip } from '../../import-archives/zip.ts';
import { type Elsewhere, parley, parleyJson, startElsewhere, withProcesses } from '../../support/index.ts';
import { badHtml } from '../hostile-archives/deployment.ts';
import { messagesOf, peopleOf } from './contents.ts';

const folder = await mkdtemp(join(tmpdir(), 'parley-mattermost-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const expectedMessages = [
  ['Town Square > ', 'Adam Example', '**Markdown** _stays_'],
  ['Town Square > Who has the keys, @Adam Example?', 'Bob Example', 'Who has the keys, @**Adam Example**?'],
  ['Development > ', 'Helper', 'I am a bot'],
  ['Town Square > ', 'Unknown nobody', 'Unknown'],
  ['Attic > ', 'Dora Example', '/me gone by now'],
  [
    'Town Square > ',
    'Olivia Example',
    'Later @**Bob Example**. and @**all**, see #**Development** and `@adam`',
  ],
  [
    'Town Square > Who has the keys, @Adam Example?',
    'Adam Example',
    expect.stringMatching(/^I have\n\[keys\.txt\]\(\/user_uploads\/1\/[\w-]{24}\/keys\.txt\)$/),
  ],
  ['2 people', 'Bob Example', 'just us'],
  ['2 people', 'Olivia Example', 'yes'],
  ['3 people', 'Adam Example', 'three'],
];

async function expectPeopleAndPlaces(elsewhere: Elsewhere): Promise<void> {
  const { sql } = elsewhere;
  expect(await peopleOf(elsewhere)).toEqual([
    ['Olivia Example', 'olivia@acme.example', 100, true, false],
    ['Adam Example', 'adam@acme.example', 400, true, false],
    ['Bob Example', 'bob@acme.example', 400, true, false],
    ['Gus Example', 'gus@acme.example', 600, true, false],
    ['Dora Example', 'dora@acme.example', 400, false, false],
    ['Helper', 'helper@mattermost.invalid', 400, true, true],
    ['Unknown nobody', 'nobody@mattermost.invalid', 400, false, false],
  ]);
  const channels = await sql`
    select name, description, is_private as private, is_archived as archived, is_default as first,
      (select count(*)::int from conversation_members m where m.conversation_id = c.conversation_id) as members
    from channels c order by id`;
  expect(channels).toEqual([
    {
      name: 'Town Square',
      description: 'For all – **Today**',
      private: false,
      archived: false,
      first: true,
      members: 4,
    },
    { name: 'Development', description: '', private: true, archived: false, first: false, members: 2 },
    { name: 'Attic', description: '', private: false, archived: true, first: false, members: 0 },
  ]);
}

test('a bulk export of Mattermost becomes an organization with all that it has', withProcesses, async () => {
  const file = join(folder, 'export.zip');
  await writeZip(file, smallMattermostExport());
  await using elsewhere = await startElsewhere();
  const env = { DATABASE_URL: elsewhere.databaseUrl, UPLOADS_DIR: elsewhere.uploads };
  const imported = await parleyJson<{ id: number }>(['import', file, '--name', 'acme'], { env });
  expect(imported).toMatchObject({
    messages: 10,
    report: {
      source: 'mattermost',
      kinds: {
        people: { kept: 6 },
        bots: { kept: 1 },
        channels: { kept: 3 },
        conversations: { kept: 2 },
        messages: { read: 12, kept: 10, leftOut: 2 },
        reactions: { read: 4, kept: 3, leftOut: 1 },
        files: { read: 2, kept: 1, leftOut: 1 },
        emoji: { read: 2, kept: 1, leftOut: 1 },
        stars: { read: 1, kept: 1 },
      },
    },
  });
  expect(await messagesOf(elsewhere)).toEqual(expectedMessages);
  await expectPeopleAndPlaces(elsewhere);
  expect(await badHtml(elsewhere, imported.id)).toEqual([]);
  const [upload] = await elsewhere.sql`select path_id as path from attachments`;
  const stored = String(upload?.['path']).split('/').slice(0, 2).join('/');
  expect(await readFile(join(elsewhere.uploads, 'uploads', stored, 'original'), 'utf8')).toBe('a key');
});

test('lines of Mattermost without files are read as they are', withProcesses, async () => {
  const file = join(folder, 'export.jsonl');
  await writeFile(file, smallMattermostLines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(await parleyJson(['import', file, '--plan'])).toMatchObject({
    plan: { source: 'mattermost', kinds: { messages: { kept: 10 }, files: { kept: 0, leftOut: 2 } } },
  });
});

const version = '{"type":"version","version":1}\n';
const refusals: readonly (readonly [string, string | Buffer, RegExp])[] = [
  ['a line that is no JSON', `${version}{"type":\n`, /line 2 of the archive is no JSON\.\n$/],
  [
    'a line of bytes that are no text',
    Buffer.concat([Buffer.from(version), Buffer.from([0x22, 0xff, 0x22, 0x0a])]),
    /line 2 of the archive is not text\.\n$/,
  ],
  [
    'a line of 100 MB',
    Buffer.concat([Buffer.from(version), Buffer.alloc(100_000_000, 32)]),
    /line 2 of the archive is longer than 16 MiB\.\n$/,
  ],
  [
    'another version',
    '{"type":"version","version":2}\n',
    /line 1 of the archive does not say that it is version 1/,
  ],
  [
    'a post of a channel that is not there',
    `${version}{"type":"post","post":{"team":"a","channel":"b","user":"c","message":"d","create_at":1700000000000}}\n`,
    /line 2 of the archive is of a channel that the archive does not have: a\/b\.\n$/,
  ],
  [
    'a time that no message has',
    `${version}{"type":"direct_post","direct_post":{"channel_members":["a"],"user":"a","message":"d","create_at":-5}}\n`,
    /line 2 of the archive has a time that no message has\.\n$/,
  ],
];

test.each(refusals)(
  'an export of Mattermost with %s is refused in a sentence',
  withProcesses,
  async (_, content, sentence) => {
    const file = join(folder, 'refused.jsonl');
    await writeFile(file, content);
    const refused = await parley(['import', file, '--name', 'acme']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr.split('\n').slice(-2).join('\n')).toMatch(sentence);
  },
);

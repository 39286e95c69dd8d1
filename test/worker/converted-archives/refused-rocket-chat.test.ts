import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';

import { serialize } from 'bson';
import { type Header, pack } from 'tar-stream';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';

import { type Database, dumpArchive, dumpFiles, writeFolder, writeTar } from '../../import-archives/dump.ts';
import { smallRocketChatDatabase as small } from '../../import-archives/rocket-chat-small.ts';
import { parley, withProcesses } from '../../support/index.ts';

const folder = await mkdtemp(join(tmpdir(), 'parley-refused-dump-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const temporary = join(folder, 'temporary');
await mkdir(temporary);

let made = 0;
const newPath = () => {
  made += 1;
  return join(folder, `dump-${made}`);
};

const inRocketChat = (collection: string) => `dump/rocketchat/${collection}.bson`;

/** Writes a dump of which the messages are these bytes. */
async function withMessages(content: Buffer, path = inRocketChat('rocketchat_message')): Promise<string> {
  const dump = newPath();
  const files = dumpFiles({ ...small, rocketchat_message: [] }).filter((file) => !path.startsWith(file.path));
  await writeFolder(dump, [...files, { path, content }]);
  return dump;
}

async function withDatabase(database: Database): Promise<string> {
  const dump = newPath();
  await writeFolder(dump, dumpFiles(database));
  return dump;
}

async function withEntry(header: Pick<Header, 'name'> & Partial<Header>): Promise<string> {
  const path = newPath();
  const tar = pack();
  tar.entry({ name: inRocketChat('users') }, '');
  tar.entry(header, '');
  tar.finalize();
  await pipeline(tar as unknown as NodeJS.ReadableStream, createWriteStream(path));
  return path;
}

const message = { _id: 'm', rid: 'GENERAL', msg: 'when', ts: new Date(1_700_000_000_000), u: { _id: 'u1' } };
const bytes = Buffer.from(serialize(message));
const length = (value: number) => {
  const four = Buffer.alloc(4);
  four.writeInt32LE(value);
  return four;
};

/** Returns a document that lies in itself so many times. */
function deep(times: number): Buffer {
  let document: Buffer = Buffer.from([5, 0, 0, 0, 0]);
  for (let time = 0; time < times; time += 1) {
    const name = Buffer.from([3, 0x75, 0]);
    document = Buffer.concat([length(document.length + 8), name, document, Buffer.of(0)]);
  }
  return document;
}

async function shortened(path: string, by: number): Promise<string> {
  await writeFile(path, (await readFile(path)).subarray(0, -by));
  return path;
}

const refusals: readonly (readonly [string, () => Promise<string>, RegExp])[] = [
  [
    'that ends within a document',
    () => withMessages(Buffer.concat([bytes, bytes.subarray(0, -3)])),
    /it ends too early, at document 2 of .+rocketchat_message\.bson\.\n$/,
  ],
  [
    'with a document of 100 MB',
    () => withMessages(Buffer.concat([bytes, length(100_000_000), Buffer.alloc(1000)])),
    new RegExp(`byte ${bytes.length} of dump/rocketchat/rocketchat_message\\.bson is no BSON\\.\n$`),
  ],
  [
    'with bytes that are no text',
    () => withMessages(Buffer.from(bytes.toString('latin1').replace('when', '\u00ff\u00ffen'), 'latin1')),
    /document 1 of dump\/rocketchat\/rocketchat_message\.bson, at byte 0, is not text\.\n$/,
  ],
  [
    'with a document that is none',
    () => withMessages(Buffer.concat([bytes, length(12), Buffer.alloc(8, 0x7e)])),
    /document 2 of .+rocketchat_message\.bson, at byte \d+, is no BSON\.\n$/,
  ],
  [
    'with a document in itself',
    () => withMessages(deep(5000)),
    /document 1 of .+, at byte 0, lies too deep\.\n$/,
  ],
  [
    'with a time that no message has',
    () => withMessages(Buffer.from(serialize({ ...message, ts: new Date(-5) }))),
    /document 1 of .+rocketchat_message\.bson, at byte 0, has a time that no message has\.\n$/,
  ],
  [
    'with a bomb',
    () =>
      withMessages(
        gzipSync(Buffer.alloc(20_000_000, serialize({ ...message, msg: ' '.repeat(99_000) }))),
        `${inRocketChat('rocketchat_message')}.gz`,
      ),
    /rocketchat_message\.bson\.gz is compressed more than any export is\.\n$/,
  ],
  [
    'with a file that was cut off',
    () =>
      withMessages(
        gzipSync(Buffer.from(serialize(message))).subarray(0, -20),
        `${inRocketChat('rocketchat_message')}.gz`,
      ),
    /rocketchat_message\.bson\.gz ends in the middle\. Copy or download it again\.\n$/,
  ],
  [
    'in a tar file that was cut off',
    async () => {
      const path = newPath();
      await writeTar(path, dumpFiles(small));
      return await shortened(path, 200);
    },
    /^The archive is damaged: it ends in the middle\. Copy or download it again\.\n$/,
  ],
  [
    'with a path that leads out of it',
    () => withEntry({ name: '../rocketchat_message.bson' }),
    /^The archive is damaged: the path \.\.\/rocketchat_message\.bson leads out of it\.\n$/,
  ],
  [
    'with a link',
    () => withEntry({ name: inRocketChat('rocketchat_message'), type: 'symlink', linkname: '/etc/passwd' }),
    /^The archive is damaged: dump\/rocketchat\/rocketchat_message\.bson is not a file\.\n$/,
  ],
  [
    'in one file that was cut off',
    async () => {
      const path = newPath();
      await writeFile(path, dumpArchive(small));
      return await shortened(path, 30);
    },
    /^The archive is damaged: it ends too early, at byte \d+ of the archive\.\n$/,
  ],
  [
    'with a piece that lies outside of its file',
    () =>
      withDatabase({
        ...small,
        'rocketchat_uploads.chunks': [{ _id: 'c', files_id: 'f1', n: 1_000_000, data: Buffer.from('x') }],
      }),
    /document 1 of dump\/rocketchat\/rocketchat_uploads\.chunks\.bson, at byte 0, is no piece of its file\.\n$/,
  ],
  [
    'without people',
    async () => {
      const { users, ...others } = small;
      expect(users).toBeDefined();
      return await withDatabase(others);
    },
    /^The archive is damaged: dump\/rocketchat has no collection users\.\n$/,
  ],
  [
    'of two servers',
    async () => {
      const dump = await withDatabase(small);
      await writeFolder(dump, dumpFiles(small, { name: 'other' }));
      return dump;
    },
    /^There are several databases of Rocket\.Chat: dump\/other, dump\/rocketchat\. Give one of them\.\n$/,
  ],
];

test.each(refusals)(
  'a dump of Rocket.Chat %s is refused in a sentence, and leaves nothing',
  withProcesses,
  async (_, make, sentence) => {
    const dump = await make();
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const refused = await parley(['import', dump, '--name', 'acme', '--from', 'rocketchat']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr.split('\n').slice(-2).join('\n')).toMatch(sentence);
    const left = (await readdir(temporary)).filter((name) => name.startsWith('parley-convert-'));
    expect(left).toEqual([]);
  },
);

test('links in the folder of a dump are not followed', withProcesses, async () => {
  const dump = await withDatabase(small);
  const users = join(dump, inRocketChat('users'));
  await rm(users);
  await symlink('/etc/passwd', users);
  const refused = await parley(['import', dump, '--plan']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('dump/rocketchat has no collection users.');
});

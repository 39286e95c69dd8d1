import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, onTestFinished, test, vi } from 'vitest';

import { writeLazyTar } from '../../import-archives/tar.ts';
import type { LazyFile } from '../../import-archives/zip.ts';
import { smallMessages, smallZulipExport, zulipFolders } from '../../import-archives/zulip-small-files.ts';
import { smallRealm } from '../../import-archives/zulip-small.ts';
import { parley, withProcesses } from '../../support/index.ts';

const folder = await mkdtemp(join(tmpdir(), 'parley-refused-zulip-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const temporary = join(folder, 'temporary');
await mkdir(temporary);

async function archiveOf(name: string, files: readonly LazyFile[]): Promise<string> {
  const file = join(folder, `${name}.tar.gz`);
  await writeLazyTar(file, files, zulipFolders);
  return file;
}

const changed = (change: (tables: ReturnType<typeof smallMessages>) => void): LazyFile[] => {
  const messages = smallMessages();
  change(messages);
  return smallZulipExport({ messages });
};
const first = (tables: ReturnType<typeof smallMessages>) =>
  tables[0]?.['zerver_message'] as Record<string, unknown>[];
const raw = (name: string, content: Buffer): LazyFile => ({
  path: `zulip-export-x1/${name}`,
  content: () => content,
});
const without = (name: string) => smallZulipExport().filter(({ path }) => !path.endsWith(name));

const refusals: readonly (readonly [string, () => LazyFile[], RegExp])[] = [
  [
    'a path that leads out of it',
    () => [...smallZulipExport(), raw('../../evil', Buffer.from('x'))],
    /^The archive is damaged: the path zulip-export-x1\/\.\.\/\.\.\/evil leads out of it\.\n$/,
  ],
  [
    'a bomb',
    () => [...smallZulipExport(), raw('messages-000003.json', Buffer.alloc(50_000_000, 32))],
    /^The archive is damaged: it is compressed more than any export is\.\n$/,
  ],
  [
    'a file that occurs twice',
    () => [...smallZulipExport(), ...smallZulipExport()],
    /^The archive is damaged: zulip-export-x1\/messages-000001\.json occurs twice\.\n$/,
  ],
  ['no realm.json', () => without('/realm.json'), /^The archive is damaged: it has no realm\.json\.\n$/],
  [
    'no attachment.json',
    () => without('/attachment.json'),
    /^The archive is damaged: it has no attachment\.json\.\n$/,
  ],
  [
    'bytes that are no text',
    () => [
      ...without('messages-000002.json'),
      raw('messages-000002.json', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])),
    ],
    /^The archive is damaged: line 1 of messages-000002\.json is no JSON\.\n$/,
  ],
  [
    'broken JSON',
    () => [
      ...without('messages-000002.json'),
      raw('messages-000002.json', Buffer.from('{"zerver_message": [\n{"id": }\n]}')),
    ],
    /^The archive is damaged: line 2 of messages-000002\.json is no JSON\.\n$/,
  ],
  [
    'a line of 100 MB',
    () => [
      ...without('messages-000002.json'),
      raw(
        'messages-000002.json',
        Buffer.concat([Buffer.from('{"zerver_message": [\n"'), longLine, Buffer.from('"]}')]),
      ),
    ],
    /^The archive is damaged: line 2 of messages-000002\.json is longer than 16 MiB\.\n$/,
  ],
  [
    'a time that no message has',
    () => changed((tables) => Object.assign(first(tables)[1] ?? {}, { date_sent: -5 })),
    /^The archive is damaged: line 23 of messages-000001\.json has a time that no message has\.\n$/,
  ],
  [
    'messages that are not in order',
    () => changed((tables) => Object.assign(first(tables)[1] ?? {}, { id: 500 })),
    /^The archive is damaged: line 23 of messages-000001\.json has the message 500 after 501: exports have them in order\.\n$/,
  ],
  [
    'messages without a sender',
    () => changed((tables) => Object.assign(first(tables)[0] ?? {}, { sender: null })),
    /^The archive is damaged: line 3 of messages-000001\.json has no sender\.\n$/,
  ],
  [
    'two organizations',
    () => smallZulipExport({ realm: { ...smallRealm(), zerver_realm: [{ id: 1 }, { id: 2 }] } }),
    /^The archive is damaged: it does not contain exactly one organization\.\n$/,
  ],
];
const longLine = Buffer.from(
  Array.from({ length: 1_000_000 }, (_, index) =>
    String(index * 7919)
      .padStart(12, '0')
      .repeat(8),
  ).join(''),
);

async function expectRefusal(file: string, sentence: RegExp): Promise<void> {
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const refused = await parley(['import', file, '--name', 'acme']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr.split('\n').slice(-2).join('\n')).toMatch(sentence);
  const left = (await readdir(temporary)).filter((name) => name.startsWith('parley-convert-'));
  expect(left).toEqual([]);
}

test.each(refusals)(
  'an export of Zulip with %s is refused in a sentence',
  withProcesses,
  async (_, make, sentence) => {
    await expectRefusal(await archiveOf('refused', make()), sentence);
  },
);

test('an export of Zulip that was cut off is refused in a sentence', withProcesses, async () => {
  const file = await archiveOf('cut', smallZulipExport());
  await writeFile(file, (await readFile(file)).subarray(0, -300));
  await expectRefusal(file, /^The archive is damaged: .+\.\n$/);
});

import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, onTestFinished, test, vi } from 'vitest';

import { type ExportFiles, smallSlackExport } from '../../import-archives/slack-small.ts';
import { type LazyFile, jsonFiles, writeZip } from '../../import-archives/zip.ts';
import { parley, parleyJson, withProcesses } from '../../support/index.ts';

const folder = await mkdtemp(join(tmpdir(), 'parley-refused-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes an export of Slack, with files that it should not have. */
async function archiveWith(
  name: string,
  changed: ExportFiles,
  more: readonly LazyFile[] = [],
): Promise<string> {
  const file = join(folder, `${name}.zip`);
  await writeZip(file, [...jsonFiles({ ...smallSlackExport(), ...changed }), ...more]);
  return file;
}

const day = 'general/2023-11-16.json';
const raw = (content: Buffer): LazyFile => ({ path: day, content: () => content });
const said = (ts: unknown) => [{ type: 'message', user: 'U1', text: 'when', ts }];

/** Replaces bytes of a file by as many others. */
async function withBytes(file: string, from: string, to: string): Promise<string> {
  const content = (await readFile(file)).toString('latin1').replaceAll(from, to);
  await writeFile(file, Buffer.from(content, 'latin1'));
  return file;
}

async function truncated(): Promise<string> {
  const file = await archiveWith('truncated', {});
  await writeFile(file, (await readFile(file)).subarray(0, -200));
  return file;
}

const temporary = join(folder, 'temporary');
await mkdir(temporary);

const refusals: readonly (readonly [string, () => Promise<string>, RegExp])[] = [
  [
    'that was cut off',
    truncated,
    /^The archive is damaged: it ends in the middle\. Copy or download it again\.\n$/,
  ],
  [
    'with a path that leads out of it',
    async () =>
      await withBytes(
        await archiveWith('crossed', { 'aa/bb.json': [] }),
        'aa/bb.json',
        '../b.json#'.slice(0, 10),
      ),
    /^The archive is damaged: the path \.\.\/b.+ leads out of it\.\n$/,
  ],
  [
    'with a bomb',
    () => archiveWith('bomb', {}, [raw(Buffer.alloc(40_000_000, 32))]),
    /^The archive is damaged: general\/2023-11-16\.json is compressed more than any export is\.\n$/,
  ],
  [
    'with bytes that are no text',
    () => archiveWith('bytes', {}, [raw(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]))]),
    /^The archive is damaged: general\/2023-11-16\.json is not text\.\n$/,
  ],
  [
    'with broken JSON',
    () => archiveWith('json', {}, [raw(Buffer.from('[\n1,\n2,,\n]'))]),
    /^The archive is damaged: line 3 of general\/2023-11-16\.json is no JSON\.\n$/,
  ],
  [
    'with a time before all messages',
    () => archiveWith('early', { [day]: said('17.000000') }),
    /^The archive is damaged: message 1 of general\/2023-11-16\.json has a time that no message has\.\n$/,
  ],
  [
    'with a time that is none',
    () => archiveWith('time', { [day]: said({ at: 5 }) }),
    /^The archive is damaged: message 1 of general\/2023-11-16\.json has a time that no message has\.\n$/,
  ],
];

test.each(refusals)(
  'an archive %s is refused in a sentence, and leaves nothing',
  withProcesses,
  async (_, make, sentence) => {
    const file = await make();
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const refused = await parley(['import', file, '--name', 'acme']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr.split('\n').slice(-2).join('\n')).toMatch(sentence);
    const left = (await readdir(temporary)).filter((name) => name.startsWith('parley-convert-'));
    expect(left).toEqual([]);
  },
);

test('a plan says what would be imported', withProcesses, async () => {
  const file = await archiveWith('plan', {
    'groups.json': [{ id: 'G9', name: 'General', created: 1_600_000_000 }],
  });
  expect(await parleyJson(['import', file, '--plan'])).toMatchObject({
    plan: {
      source: 'slack',
      kinds: { messages: { kept: 20 }, channels: { kept: 3 } },
      conflicts: [
        {
          text: 'Two channels are called General; the second is called General (2) now.',
          code: 'two_channels',
          values: { wanted: 'General', name: 'General (2)' },
        },
      ],
    },
  });
  const { stdout } = await parley(['import', file, '--plan']);
  expect(stdout).toContain('Nothing has been written.');
});

test('an import is refused for what the command line asks for', withProcesses, async () => {
  const file = await archiveWith('asked', {});
  const ask = async (...args: string[]) => (await parley(['import', file, ...args])).stderr;
  expect(await ask()).toContain('Name it: --name acme');
  expect(await ask('--name', 'acme', '--from', 'parley')).toContain(
    'This is an archive of slack, not of parley.',
  );
  expect(await ask('--into', 'acme', '--name', 'acme')).toContain('--into and --name exclude each other.');
  const unknown = await ask('--into', 'nowhere');
  expect(unknown).toContain('There is no organization nowhere.');
  expect(unknown).not.toContain('Converting');
  const other = join(folder, 'other.txt');
  await writeFile(other, 'no archive');
  const { stderr } = await parley(['import', other]);
  expect(stderr).toContain('Say so with --from.');
});

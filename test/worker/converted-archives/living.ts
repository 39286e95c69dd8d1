import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect } from 'vitest';

import {
  type ExportFiles,
  smallSlackDownloads,
  smallSlackExport,
} from '../../import-archives/slack-small.ts';
import { jsonFiles, writeZip } from '../../import-archives/zip.ts';
import {
  type Json,
  type Person,
  type TestRealm,
  getWorld,
  parleyJson,
  personIn,
  realm,
} from '../../support/index.ts';

/** Exports of Slack, as they are and as they are later, and an organization to import them into. */
export interface SlackArchives extends AsyncDisposable {
  /** The small export, whole. */
  archive: string;
  /** Its files, that were downloaded. */
  downloads: string;
  /** Writes a text into a file, and answers where it is. */
  readonly write: (name: string, text: string) => Promise<string>;
  readonly archiveOf: (files: ExportFiles) => Promise<string>;
  /** The export as it is some days later, when somebody has written in these channels and conversations. */
  readonly withMore: (...folders: readonly string[]) => Promise<string>;
  readonly importInto: (home: TestRealm, file?: string, more?: readonly string[]) => Promise<Json>;
}

export async function openSlackArchives(): Promise<SlackArchives> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-into-'));
  const downloads = join(folder, 'files');
  for (const [path, content] of Object.entries(smallSlackDownloads)) {
    await mkdir(dirname(join(downloads, path)), { recursive: true });
    await writeFile(join(downloads, path), content);
  }
  let archived = 0;
  const archiveOf = async (files: ExportFiles) => {
    const file = join(folder, `${(archived += 1)}.zip`);
    await writeZip(file, jsonFiles(files));
    return file;
  };
  const archive = await archiveOf(smallSlackExport());
  return {
    archive,
    downloads,
    archiveOf,
    async write(name, text) {
      const file = join(folder, name);
      await writeFile(file, text);
      return file;
    },
    withMore: (...folders) => archiveOf(exportWithMore(...folders)),
    async importInto({ realm: { name } }, file = archive, more = []) {
      const env = { UPLOADS_DIR: (await getWorld()).uploads };
      return await parleyJson<Json>(['import', file, '--into', name, '--files', downloads, ...more], { env });
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export const exportWithMore = (...folders: readonly string[]): ExportFiles => ({
  ...smallSlackExport(),
  ...Object.fromEntries(
    folders.map((name, index) => [
      `${name}/2024-01-01.json`,
      [{ type: 'message', user: 'U3', ts: `1704100000.00${index}000`, text: `later in ${name}` }],
    ]),
  ),
});

/** An organization in which Alice has the address of the archive's Olivia. */
export async function livingRealm(): Promise<TestRealm> {
  const home = await realm();
  const { sql } = await getWorld();
  await sql`update users set email = 'olivia@acme.example' where id = ${home.alice.id}`;
  return { ...home, alice: await personIn(home.realm.name, home.alice.id) };
}

export async function createChannel(by: Person, name: string, isPrivate: boolean): Promise<void> {
  const made = await by.post('/users/me/subscriptions', {
    subscriptions: [{ name }],
    invite_only: isPrivate,
  });
  expect(made).toMatchObject({ result: 'success' });
}

/** The newest messages that a narrow finds, as their authors wrote them. */
export async function read(person: Person, narrow: object[]): Promise<Json[]> {
  const params = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false };
  return (await person.get('/messages', params)).messages ?? [];
}

export const inChannel = (name: string) => [{ operator: 'channel', operand: name }];

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  type Archive,
  type ArchiveRow,
  type Forged,
  entryOf,
  filesOf,
  linesOf,
  pathOf,
  readArchive,
  seal,
  withLines,
  writeArchive,
} from '../../support/archives.ts';
import {
  type Elsewhere,
  type Json,
  type TestRealm,
  exportEverything,
  startElsewhere,
  succeed,
} from '../../support/index.ts';
import { badHtml, drawnIds, importInto, operatorsRights, snapshotBeside } from './deployment.ts';
import { furnishedRealm } from './furnished.ts';

let folder: string;
let archive: Archive;
let people: TestRealm;
let elsewhere: Elsewhere;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-hostile-'));
  people = await furnishedRealm();
  archive = await readArchive(await exportEverything(people, join(folder, 'honest.tar.gz')));
  elsewhere = await startElsewhere();
});
afterAll(async () => {
  await elsewhere[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Expects that an archive is refused in a sentence, and that nothing is left of it. */
async function expectRefused(files: readonly Forged[], why: RegExp): Promise<void> {
  const file = join(folder, 'forged.tar.gz');
  await writeArchive(file, files);
  await expectFileRefused(file, why);
}

async function expectFileRefused(file: string, why: RegExp): Promise<void> {
  const before = [await snapshotBeside(elsewhere, 0), await drawnIds(elsewhere)];
  const refused = expect.objectContaining({ name: 'ArchiveRefused', message: expect.stringMatching(why) });
  await expect(importInto(elsewhere, file, 'forged')).rejects.toEqual(refused);
  expect([await snapshotBeside(elsewhere, 0), await drawnIds(elsewhere)]).toEqual(before);
}

/** Returns an archive of which the rows of a table are others. */
function withRows(table: string, change: (rows: ArchiveRow[]) => ArchiveRow[]): Archive {
  const path = pathOf(archive, table);
  const rows = linesOf(archive.get(path) ?? Buffer.of()).map((line) => JSON.parse(line) as ArchiveRow);
  return withLines(
    archive,
    path,
    change(rows).map((row) => JSON.stringify(row)),
  );
}

/** Returns the archive with a file more, before the end of the part that has files like it. */
function withFile(path: string, content: string): Archive {
  const last = [...archive.keys()].findLast((one) => one.startsWith('files/')) ?? '';
  return new Map(
    [...archive].flatMap(([name, bytes]): [string, Buffer][] =>
      name === last
        ? [
            [name, bytes],
            [path, Buffer.from(content)],
          ]
        : [[name, bytes]],
    ),
  );
}

const damage = /^The archive is damaged: .+\.$/;
const refusal = /^The archive is refused: .+\.$/;

describe('a forged archive', () => {
  test('is taken as it was exported, when nothing is forged', async () => {
    await using other = await startElsewhere();
    const file = join(folder, 'sealed.tar.gz');
    await writeArchive(file, filesOf(seal(archive)));
    expect(await importInto(other, file, 'sealed')).toMatchObject({ isRenumbered: false });
  });

  test.each([
    ['a symbolic link', { type: 'symlink', linkname: '/etc/passwd' }],
    ['a hard link', { type: 'link', linkname: 'manifest.json' }],
    ['a device', { type: 'character-device', devmajor: 1, devminor: 3 }],
    ['a pipe', { type: 'fifo' }],
    ['a folder', { type: 'directory' }],
  ] as const)('is refused with %s in it', async (_, header) => {
    const [manifest, ...others] = filesOf(archive);
    const name = 'data/000001/users.000001.ndjson';
    await expectRefused(
      [manifest, { header: { name, ...header } }, ...others].flatMap((one) => one ?? []),
      damage,
    );
  });

  test.each([
    'files/uploads/../../../../etc/cron.d/x',
    'files/avatars/1/AAAAAAAAAAAAAAAAAAAAAAAA/../../../x',
    '/etc/passwd',
    'files/exports/1/AAAAAAAAAAAAAAAAAAAAAAAA/part',
    'files/uploads/1/AAAAAAAAAAAAAAAAAAAAAAAA/original',
    'files/avatars/1/AAAAAAAAAAAAAAAAAAAAAAAA/100.png',
  ])('is refused with the file %s', async (path) => {
    await expectRefused(filesOf(seal(withFile(path, 'x'))), damage);
  });

  test('is refused with a file of its own folder that no row names, and with one that is longer than its row says', async () => {
    const path = `files/uploads/${people.realm.id}/AAAAAAAAAAAAAAAAAAAAAAAA/original`;
    await expectRefused(filesOf(seal(withFile(path, 'x'))), damage);
    const known = [...archive.keys()].find((one) => one.startsWith('files/uploads/')) ?? '';
    await expectRefused(
      filesOf(seal(new Map([...archive, [known, Buffer.from('much more than that')]]))),
      damage,
    );
  });

  test('is refused with a file that occurs twice', async () => {
    const sealed = filesOf(seal(archive));
    const twice = (prefix: string) =>
      sealed.flatMap((one) => (one.header.name.startsWith(prefix) ? [one, one] : [one]));
    for (const prefix of ['manifest', 'data/000001/users', 'files/uploads/', 'parts/000001', 'end']) {
      await expectRefused(twice(prefix), damage);
    }
  });

  test('is refused with lines that are no rows', async () => {
    const path = pathOf(archive, 'saved_snippets');
    const [line = ''] = linesOf(archive.get(path) ?? Buffer.of());
    const deep = 200_000;
    for (const forged of ['', '[]', 'null', '"x"', line.slice(1), `${'['.repeat(deep)}${']'.repeat(deep)}`]) {
      await expectRefused(
        filesOf(seal(withLines(archive, path, [line, forged]))),
        /^The archive is (?:damaged|refused): /,
      );
    }
  });

  test('is refused when it unpacks to very much, before that is in memory', async () => {
    const much = Buffer.alloc(20 * 1024 * 1024, ' ');
    await expectRefused(
      [{ header: { name: 'manifest.json' }, content: much }],
      /manifest\.json is larger than 16 MiB\.$/,
    );
    const path = pathOf(archive, 'saved_snippets');
    await expectRefused(
      filesOf(seal(new Map([...archive, [path, much]]))),
      /line 1 of .+ is longer than 16 MiB\.$/,
    );
    const bytes = gzipSync(Buffer.alloc(64 * 1024 * 1024, 'x'), { level: 9 });
    const file = join(folder, 'bomb.tar.gz');
    await writeFile(file, bytes);
    await expectFileRefused(file, damage);
  });

  test('is refused when its header says that a name is very long', async () => {
    const pax = { name: 'x', pax: { path: 'x'.repeat(5 * 1024 * 1024) } };
    await expectRefused([{ header: pax, content: Buffer.of(1) }], damage);
  });
});

describe('rows that are forged together', () => {
  test('make no owner in another organization', async () => {
    const forged = withRows('users', (rows) => [
      ...rows,
      { ...rows[0], id: 2_000_000, realm_id: 1, role: 100, email: 'owner@forged.example', bot_type: null },
    ]);
    await expectRefused(filesOf(seal(forged)), refusal);
  });

  test('take no ids that they have not, whatever the manifest says', async () => {
    const sealed = seal(archive);
    const manifest = JSON.parse(String(sealed.get('manifest.json'))) as {
      tables: Record<string, { greatest: number }>;
    };
    for (const table of Object.values(manifest.tables)) table.greatest = 2_147_483_647;
    const rest = new Map([...sealed, ['manifest.json', Buffer.from(JSON.stringify(manifest))] as const]);
    // Its checksum is in a part that nothing vouches for.
    rest.set('parts/000000.json', Buffer.from(JSON.stringify({ entries: [entryOf(rest, 'manifest.json')] })));
    await expectRefused(filesOf(rest), damage);
  });

  test('leave nothing when only the database finds what contradicts', async () => {
    const twice = withRows('users', (rows) => [...rows, { ...rows[0], id: 3_000_000 }]);
    const file = join(folder, 'contradicting.tar.gz');
    await writeArchive(file, filesOf(seal(twice)));
    const before = await snapshotBeside(elsewhere, 0);
    await expect(importInto(elsewhere, file, 'forged')).rejects.toThrow(/rows of the table users contradict/);
    expect(await snapshotBeside(elsewhere, 0)).toEqual(before);
    // What is imported next is not in the way of what was reserved.
    await writeArchive(file, filesOf(seal(archive)));
    const { realmId } = await importInto(elsewhere, file, people.realm.name);
    expect(
      await elsewhere.sql`select from realms where id = ${realmId} and members_conversation_id is not null`,
    ).toHaveLength(1);
  });

  test('bring no HTML, no rights of an operator and no quota', async () => {
    await using other = await startElsewhere();
    const withHtml = (rows: ArchiveRow[]) =>
      rows.map((row) => ({ ...row, rendered_content: '<script>alert(1)</script>', rendered_version: 2 }));
    let forged = withRows('messages', withHtml);
    const path = pathOf(archive, 'users');
    const users = linesOf(archive.get(path) ?? Buffer.of()).map((line) => JSON.parse(line) as ArchiveRow);
    const rights = { can_create_users: true, can_change_user_emails: true, can_forge_sender: true };
    forged = withLines(
      forged,
      path,
      users.map((row) => JSON.stringify({ ...row, ...rights })),
    );
    const [realm = ''] = linesOf(archive.get(pathOf(archive, 'realms')) ?? Buffer.of());
    const quota = JSON.stringify({ ...(JSON.parse(realm) as ArchiveRow), upload_quota_mib: 900_000 });
    forged = withLines(forged, pathOf(archive, 'realms'), [quota]);
    const file = join(folder, 'html.tar.gz');
    await writeArchive(file, filesOf(seal(forged)));
    const { realmId, withRights } = await importInto(other, file, people.realm.name);
    expect(withRights).toBe(users.length);
    expect([await badHtml(other, realmId), await operatorsRights(other, realmId)]).toEqual([[], []]);
    const page = { anchor: 'newest', num_before: 100, num_after: 0, client_gravatar: true };
    const { body } = await people.alice.ask('GET', '/messages', page, { port: other.port });
    const { messages } = await succeed(Promise.resolve(body));
    expect(messages.map(({ content }: Json) => content).join('')).toContain('<strong>this</strong>');
    expect(JSON.stringify(messages)).not.toContain('<script');
  });
});

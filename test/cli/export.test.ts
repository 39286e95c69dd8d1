import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test, vi } from 'vitest';

import {
  type Archive,
  type ArchiveRow,
  filesOf,
  linesOf,
  pathOf,
  readArchive,
  seal,
  withLines,
  writeArchive,
} from '../support/archives.ts';
import {
  getWorld,
  parley,
  parleyJson,
  realm,
  runOnDemand,
  say,
  startElsewhere,
  subscribe,
  succeed,
  withProcesses,
} from '../support/index.ts';

/** Returns an archive with an account of another organization. */
function withStranger(archive: Archive): Archive {
  const path = pathOf(archive, 'users');
  const lines = linesOf(archive.get(path) ?? Buffer.of());
  const stranger = { ...(JSON.parse(lines[0] ?? '{}') as ArchiveRow), id: 2_000_000, realm_id: 1, role: 100 };
  return withLines(archive, path, [...lines, JSON.stringify(stranger)]);
}

test('an organization is exported by one deployment and imported by another', withProcesses, async () => {
  const { realm: home, alice } = await realm();
  await subscribe(alice, 'news');
  await say(alice, 'news', 't', 'take me along');
  const folder = await mkdtemp(join(tmpdir(), 'parley-cli-'));
  try {
    const file = join(folder, 'archive.tar.gz');
    const { uploads, sql } = await getWorld();
    const exporting = parleyJson(['export', file, '--realm', home.name], { env: { UPLOADS_DIR: uploads } });
    const id = await vi.waitUntil(
      async () => (await sql`select id from realm_exports where realm_id = ${home.id}`)[0]?.['id'] as number,
      { timeout: 60_000 },
    );
    await runOnDemand('export-realm', id);
    expect(await exporting).toMatchObject({ realm: home.name, id, file, messages: 1 });

    await using elsewhere = await startElsewhere();
    const env = { DATABASE_URL: elsewhere.databaseUrl, UPLOADS_DIR: elsewhere.uploads };
    const spoiled = join(folder, 'spoiled');
    await writeFile(spoiled, (await readFile(file)).subarray(0, -100));
    const refused = await parley(['import', spoiled], { env });
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is damaged') });
    const forged = join(folder, 'forged');
    await writeArchive(forged, filesOf(seal(withStranger(await readArchive(file)))));
    expect(await parley(['import', forged], { env })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The archive is refused: .+\.$/m),
    });
    expect(await parleyJson(['import', file, '--name', 'moved'], { env })).toMatchObject({
      realm: 'moved',
      id: home.id,
      messages: 1,
      is_renumbered: false,
      accounts_that_lost_rights: 0,
    });
    const again = await parley(['import', file, '--name', 'moved'], { env });
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already') });
    expect(await elsewhere.sql`select content from messages`).toEqual([{ content: 'take me along' }]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test(
  'an organization is exported in the form of Zulip, and what has no place in it is counted',
  withProcesses,
  async () => {
    const { realm: home, alice } = await realm();
    await subscribe(alice, 'news');
    const message = await say(alice, 'news', 't', 'take me to Zulip');
    await succeed(
      alice.post('/drafts', { drafts: [{ type: 'private', to: [], topic: '', content: 'not yet' }] }),
    );
    const folder = await mkdtemp(join(tmpdir(), 'parley-cli-'));
    try {
      const file = join(folder, 'zulip.tar.gz');
      // What has a name that something on the way could have had stays what it is.
      const others = [`${file}.parley`, `${file}.partial`];
      for (const other of others) await writeFile(other, 'mine');
      const { uploads, sql } = await getWorld();
      const args = ['export', file, '--realm', home.name, '--format', 'zulip'];
      const exporting = parleyJson(args, { env: { UPLOADS_DIR: uploads } });
      const id = await vi.waitUntil(
        async () =>
          (await sql`select id from realm_exports where realm_id = ${home.id}`)[0]?.['id'] as number,
        { timeout: 60_000 },
      );
      await runOnDemand('export-realm', id);
      expect(await exporting).toEqual({ realm: home.name, id, file, messages: 1, left_out: { drafts: 1 } });
      expect(await readdir(folder)).toEqual(['zulip.tar.gz', 'zulip.tar.gz.parley', 'zulip.tar.gz.partial']);
      for (const other of others) expect(await readFile(other, 'utf8')).toBe('mine');
      expect(await parleyJson(['import', file, '--plan'])).toMatchObject({
        plan: { source: 'zulip', kinds: { messages: { kept: 1 } }, leftOut: [] },
      });

      await using elsewhere = await startElsewhere();
      const env = { DATABASE_URL: elsewhere.databaseUrl, UPLOADS_DIR: elsewhere.uploads };
      await parleyJson(['import', file, '--name', 'back'], { env });
      expect(await elsewhere.sql`select id, content from messages`).toEqual([
        { id: message, content: 'take me to Zulip' },
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

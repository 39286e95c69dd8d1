import { mkdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { getWorld, parley, realm, runRecurring, text, upload, withProcesses } from '../support/index.ts';

interface Found {
  files: number;
  missing: { count: number; named: { realm_id: number; file: string }[] };
  damaged: { count: number; named: { file: string }[] };
  orphans: { count: number; named: { folder: string; files: number }[] };
}

const files = async () => ({ env: { UPLOADS_DIR: (await getWorld()).uploads } });

const verify = async (...flags: string[]): Promise<{ code: number; found: Found }> => {
  const { code, stdout } = await parley(['verify', '--json', ...flags], await files());
  return { code, found: JSON.parse(stdout) as Found };
};

/** Takes files for ones that were stored so long ago. */
const age = async (path: string, hours: number) => {
  const at = new Date(Date.now() - hours * 3_600_000);
  await utimes(path, at, at);
};

test('files and rows that lack each other are found, and nothing else', withProcesses, async () => {
  const { alice, realm: home } = await realm();
  const { uploads } = await getWorld();
  const stored: string[] = [];
  for (const content of ['kept', 'missing', 'damaged']) {
    const url = await upload(alice, text(content));
    stored.push(join(uploads, 'uploads', ...url.split('/').slice(2, 4), 'original'));
  }
  const [kept = '', missing = '', damaged = ''] = stored;
  const before = await verify();
  expect(before.found).toMatchObject({ missing: { count: 0 }, damaged: { count: 0 }, orphans: { count: 0 } });
  expect([before.code, before.found.files]).toEqual([0, 3]);

  await rm(missing);
  await truncate(damaged, 3);
  for (const [folder, hours] of [
    ['old', 100],
    ['young', 1],
  ] as const) {
    const path = join(uploads, 'avatars', `${home.id}`, folder);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, '100.png'), 'a picture');
    await age(join(path, '100.png'), hours);
  }
  await age(kept, 1000);
  const { code, found } = await verify();
  const short = (path: string) => path.slice(uploads.length + 1);
  expect(code).toBe(1);
  expect(found.missing).toEqual({ count: 1, named: [{ realm_id: home.id, file: short(missing) }] });
  expect(found.damaged).toEqual({ count: 1, named: [{ realm_id: home.id, file: short(damaged) }] });
  expect(found.orphans.named).toMatchObject([{ folder: `avatars/${home.id}/old`, files: 1 }]);
  const shown = await parley(['verify'], await files());
  expect(shown.stdout).toContain(`${found.files} files, 1 missing, 1 damaged, 1 folders`);

  expect(await parley(['verify', '--older-than-hours', '1'], await files())).toMatchObject({ code: 2 });
  expect(await parley(['verify', '--delete-orphans'], await files())).toMatchObject({ code: 1 });
  await verify('--delete-orphans', '--yes');
  await runRecurring('sweep-files');
  const after = await verify();
  expect(after.found).toMatchObject({ files: found.files - 1, orphans: { count: 0 }, missing: { count: 1 } });
});

test('files of an organization that is no more are found', withProcesses, async () => {
  const { uploads } = await getWorld();
  const path = join(uploads, 'uploads', '987654321', 'aB3', 'original');
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, 'text');
  await age(path, 100);
  const { orphans } = (await verify()).found;
  expect(orphans.named).toContainEqual(expect.objectContaining({ folder: 'uploads/987654321/aB3' }));
});

import { readFile, rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { smallSlackExport } from '../import-archives/slack-small.ts';
import { jsonFiles, writeZip } from '../import-archives/zip.ts';
import { type Area, assertSound } from './area.ts';

async function slackArchive(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-web-import-'));
  try {
    const file = join(folder, 'acme.zip');
    await writeZip(file, jsonFiles(smallSlackExport()));
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Owners import an archive of another product. */
export const imports: Area = {
  name: 'imports',
  async check(stage) {
    const { open, saw, address } = stage;
    await using olivia = await open('Olivia Owner');
    const { page } = olivia;
    await page.goto(`${address}/#administration/imports`);
    await page.getByText('Where to get an archive').click();
    await assertSound(olivia, 'imports without one');
    saw('owners are told where to get an archive');

    const file = { name: 'acme.zip', mimeType: 'application/zip', buffer: await slackArchive() };
    await page.getByLabel('Product').selectOption({ label: 'Slack' });
    await page.getByLabel('Archive').setInputFiles(file);
    const plan = page.getByRole('table', { name: 'Import of acme.zip: what will come' });
    await plan.waitFor({ timeout: 120_000 });
    await assertSound(olivia, 'the plan of an import');
    saw('an archive is sent, and its plan is shown');

    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Imported', { exact: true }).waitFor({ timeout: 120_000 });
    await page.getByText('Report', { exact: true }).click();
    await page.getByRole('table', { name: 'Import of acme.zip: what has come' }).waitFor();
    await assertSound(olivia, 'the report of an import');
    saw('it is imported when the owner has confirmed that, and reported');
  },
};

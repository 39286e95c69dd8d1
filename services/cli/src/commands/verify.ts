import * as actions from '@parley/actions';
import { createFileStore, filesConfig } from '@parley/files';
import { buildCommand } from '@stricli/core';

import type { Context } from '../context.ts';
import { type CommonFlags, commonFlags, yesFlag } from '../flags.ts';
import type { Progress } from '../progress.ts';
import { table } from '../table.ts';
import { verifyFiles } from '../verify-files.ts';

/** A folder may be without its row for a day, while it is filled. */
const ageHours = { min: 25, default: 72 };

interface Flags extends CommonFlags {
  yes: boolean;
  deleteOrphans: boolean;
  olderThanHours: number;
}

async function run(this: Context, { yes, deleteOrphans, olderThanHours }: Flags): Promise<void> {
  await using deployment = await this.open();
  const { engine } = deployment;
  const store = await createFileStore(this.readConfig(filesConfig));
  if (deleteOrphans)
    await this.ask.confirm('Files that nothing in this database refers to will be deleted for good.', yes);
  let bar: Progress | undefined;
  const now = Date.now();
  try {
    const found = await verifyFiles({
      engine,
      store,
      olderThan: new Date(now - olderThanHours * 3_600_000),
      onRealm: (_, of) => {
        bar ??= this.progress('Verify', of);
        bar.advance(1);
      },
      ...(deleteOrphans && {
        onOrphans: async (folders: string[]) => {
          // Workers delete them, as they do with any file that nothing refers to.
          for (const folder of folders)
            await actions.files.scheduleDeletion(engine.db, { folder, removeAfter: new Date(now) });
        },
      }),
    });
    const { missing, damaged, orphans } = found;
    const rows = [
      ...missing.named.map(({ realm_id, file }) => ['missing', realm_id, file]),
      ...damaged.named.map(({ realm_id, file }) => ['damaged', realm_id, file]),
      ...orphans.named.map(({ realm_id, folder }) => [
        deleteOrphans ? 'deleted' : 'orphan',
        realm_id,
        folder,
      ]),
    ];
    const summary = `${found.files} files, ${missing.count} missing, ${damaged.count} damaged, ${orphans.count} folders that nothing refers to (${orphans.bytes} bytes).`;
    this.show(
      { ...found, deletes_orphans: deleteOrphans },
      rows.length > 0 ? `${table(['', 'realm', 'file'], rows)}\n${summary}` : summary,
    );
    if (missing.count + damaged.count > 0) this.fail();
  } finally {
    bar?.[Symbol.dispose]();
  }
}

export const verifyCommand = buildCommand({
  func: run,
  parameters: {
    flags: {
      ...commonFlags,
      ...yesFlag,
      deleteOrphans: {
        kind: 'boolean',
        brief: 'Delete files that nothing refers to',
        default: false,
        withNegated: false,
      },
      olderThanHours: {
        kind: 'parsed',
        parse: (text: string) => {
          const hours = Number(text);
          if (!Number.isInteger(hours) || hours < ageHours.min)
            throw new Error(`Enter ${ageHours.min} hours or more: younger files may be getting their rows.`);
          return hours;
        },
        default: `${ageHours.default}`,
        placeholder: 'hours',
        brief: 'How old files are that nothing refers to',
      },
    },
  },
  docs: {
    brief: 'Compare the files of uploads with the database',
    fullDescription: `Compares all files (uploads, pictures, archives) with the rows that refer to them: after a restore, one of the two may be older than the other. Names files that are missing or have another size, and folders that nothing refers to. Exits with 1 if a file is missing or damaged.

With --delete-orphans, workers delete the folders that nothing refers to, as they do after an upload is deleted. After a restore of the database, keep them until you are sure that no newer backup is going to be restored.`,
    customUsage: ['', '--json', '--delete-orphans --older-than-hours 168 --yes'],
  },
});

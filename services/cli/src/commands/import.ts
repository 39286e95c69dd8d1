import { importArchive } from '@parley/archive';
import { createFileStore, filesConfig } from '@parley/files';
import { buildCommand } from '@stricli/core';

import type { Context } from '../context.ts';
import { type CommonFlags, commonFlags, oneArgument, optionalTextFlag } from '../flags.ts';
import type { Progress } from '../progress.ts';

interface Flags extends CommonFlags {
  name?: string;
}

async function run(this: Context, { name }: Flags, archive: string): Promise<void> {
  await using deployment = await this.open();
  const store = await createFileStore(this.readConfig(filesConfig));
  this.process.stderr.write('Verifying the archive …\n');
  let bar: Progress | undefined;
  let shown = 0;
  try {
    const imported = await importArchive({
      sql: deployment.engine.sql,
      db: deployment.engine.db,
      site: deployment.site,
      store,
      archive,
      name,
      now: new Date(),
      onProgress: ({ phase, files, of }) => {
        if (phase === 'verifying') return;
        bar ??= this.progress('Import', of ?? 1);
        bar.advance(files - shown);
        shown = files;
      },
    });
    const { realmId, manifest, isRenumbered, withRights } = imported;
    const realm = await deployment.getRealm(imported.name);
    const messages = manifest.tables['messages']?.rows ?? 0;
    const files = manifest.missing_files;
    this.show(
      {
        realm: realm.name,
        id: realmId,
        url: realm.url,
        messages,
        is_renumbered: isRenumbered,
        missing_files: files,
        accounts_that_lost_rights: withRights,
      },
      [
        `${realm.url}: ${messages} messages.`,
        ...(isRenumbered
          ? ['All ids are new, so links from elsewhere to these messages no longer work.']
          : []),
        ...(withRights > 0
          ? [
              `${withRights} accounts had rights that only you give, and have them no longer: parley user rights --help`,
            ]
          : []),
        ...(files > 0 ? [`${files} files were already missing when the archive was written.`] : []),
      ].join('\n'),
    );
  } finally {
    bar?.[Symbol.dispose]();
  }
}

export const importCommand = buildCommand({
  func: run,
  parameters: {
    flags: {
      ...commonFlags,
      name: optionalTextFlag('name', 'Name of the organization here; unchanged by default'),
    },
    positional: oneArgument('archive', 'File that `parley export` or an administrator has made'),
  },
  docs: {
    brief: 'Import an archive as an organization of this deployment',
    fullDescription:
      'All of the archive is checked before anything is written: its checksums, each value as the API checks it, and that nothing refers to what is not in it. Nobody can reach the organization until the import is complete, and nothing is left of one that is refused. To continue an import that was interrupted, run the same command again.',
    customUsage: ['acme.tar.gz', 'acme.tar.gz --name acme-old'],
  },
});

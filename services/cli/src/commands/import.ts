import { writeFile } from 'node:fs/promises';

import {
  type ConversionProgress,
  type ConversionReport,
  chooseSource,
  convertArchive,
  importArchive,
  planConversion,
  reportHtml,
  reportText,
  verifyArchive,
} from '@parley/archive';
import { createFileStore, filesConfig, lowerProcessPriority } from '@parley/files';
import * as model from '@parley/model';
import { type ImportSource, importSources } from '@parley/protocol';
import { buildCommand } from '@stricli/core';

import type { Context } from '../context.ts';
import { type CommonFlags, commonFlags, oneArgument, optionalTextFlag } from '../flags.ts';
import { Phases } from '../phases.ts';
import { Refusal } from '../refusal.ts';
import { findOrganization, loadInto } from './import-into.ts';

interface Flags extends CommonFlags {
  from?: ImportSource;
  name?: string;
  files?: string;
  into?: string;
  report?: string;
  plan: boolean;
}

async function run(this: Context, flags: Flags, archive: string): Promise<void> {
  const { into } = flags;
  if (into !== undefined && flags.name !== undefined) {
    throw new Refusal(
      '--into and --name exclude each other.',
      'An organization that is there keeps its name.',
    );
  }
  const from = await chooseSource(archive, flags.from);
  if (from === undefined) {
    throw new Refusal('It cannot be told from this file which product it comes from.', 'Say so with --from.');
  }
  if (into !== undefined) return await intoOrganization(this, from, { ...flags, into }, archive);
  if (from === 'parley') return flags.plan ? await planOwn(this, archive) : await load(this, archive, flags);
  if (flags.plan) return await plan(this, from, flags, archive);
  const name = flags.name ?? '';
  const problem = model.realms.realmNameProblem(name);
  if (name === '') {
    throw new Refusal(`An archive of ${from} does not name the organization.`, 'Name it: --name acme');
  }
  if (problem) throw new Refusal(`${name}: ${problem}`);
  await using converted = await convert(this, from, { ...flags, name }, archive);
  await load(this, converted.file, flags, converted.report);
  await writeReport(flags.report, converted.report);
}

async function intoOrganization(
  context: Context,
  from: ImportSource,
  flags: Flags & { into: string },
  archive: string,
): Promise<void> {
  // Whoever uses the organization comes first, where this machine serves it.
  if (context.process.pid !== undefined) lowerProcessPriority();
  await findOrganization(context, flags.into);
  if (from === 'parley') return await loadInto(context, archive, flags);
  await using converted = await convert(context, from, { ...flags, name: flags.into }, archive);
  await loadInto(context, converted.file, flags, converted.report);
  await writeReport(flags.report, converted.report);
}

/** Shows how far a conversion is. */
const showIn = (phases: Phases) => (progress: ConversionProgress) =>
  phases.advance(progress.phase === 'reading' ? 'Reading' : 'Converting', {
    ...progress,
    count: progress.messages,
    unit: 'messages',
  });

async function convert(
  { process }: Context,
  from: Exclude<ImportSource, 'parley'>,
  { name, files }: { name: string; files?: string | undefined },
  archive: string,
) {
  using phases = new Phases(process.stderr, Date.now);
  return await convertArchive({ archive, from, name, files, onProgress: showIn(phases) });
}

async function plan(
  context: Context,
  from: Exclude<ImportSource, 'parley'>,
  { files, report: file }: Flags,
  archive: string,
): Promise<void> {
  using phases = new Phases(context.process.stderr, Date.now);
  const report = await planConversion({ archive, from, files, onProgress: showIn(phases) });
  phases[Symbol.dispose]();
  await writeReport(file, report);
  context.show({ plan: report }, `From ${from}. Nothing has been written.\n\n${reportText(report)}`);
}

/** Shows what is in an archive of this product. */
async function planOwn(context: Context, archive: string): Promise<void> {
  const { manifest } = await verifyArchive(archive);
  const rows = Object.entries(manifest.tables).map(([name, table]) => [name, table.rows] as const);
  const text = rows.map(([name, count]) => `${name.padEnd(32)}${String(count).padStart(12)}`).join('\n');
  context.show(
    { plan: { source: 'parley', realm: manifest.realm.name, rows: Object.fromEntries(rows) } },
    `From parley: ${manifest.realm.name}. Nothing has been written.\n\n${text}`,
  );
}

async function load(
  context: Context,
  archive: string,
  { name }: { name?: string | undefined },
  report?: ConversionReport,
): Promise<void> {
  await using deployment = await context.open();
  const store = await createFileStore(context.readConfig(filesConfig));
  context.process.stderr.write('Verifying the archive …\n');
  using phases = new Phases(context.process.stderr, Date.now);
  const imported = await importArchive({
    sql: deployment.engine.sql,
    db: deployment.engine.db,
    serverOf: (realmId) => deployment.engine.serverOf(realmId),
    site: deployment.site,
    store,
    archive,
    name,
    now: new Date(),
    onProgress: ({ phase, files, of }) => {
      if (phase === 'verifying') return;
      phases.advance('Importing', {
        count: files,
        unit: 'files of the archive',
        done: files,
        of: of ?? files,
      });
    },
  });
  phases[Symbol.dispose]();
  const { realmId, manifest, isRenumbered, withRights } = imported;
  const realm = await deployment.getRealm(imported.name);
  const messages = manifest.tables['messages']?.rows ?? 0;
  const files = manifest.missing_files;
  context.show(
    {
      realm: realm.name,
      id: realmId,
      url: realm.url,
      messages,
      is_renumbered: isRenumbered,
      missing_files: files,
      accounts_that_lost_rights: withRights,
      ...(report && { report }),
    },
    [
      `${realm.url}: ${messages} messages.`,
      ...(report ? [reportText(report)] : ofOwn(isRenumbered)),
      ...(withRights > 0
        ? [
            `${withRights} accounts had rights that only you give, and have them no longer: parley user rights --help`,
          ]
        : []),
      ...(files > 0 ? [`${files} files were already missing when the archive was written.`] : []),
    ].join('\n'),
  );
}

const ofOwn = (isRenumbered: boolean): string[] =>
  isRenumbered ? ['All ids are new, so links from elsewhere to these messages no longer work.'] : [];

/** Writes a report as a page and as JSON, side by side. */
async function writeReport(file: string | undefined, report: ConversionReport): Promise<void> {
  if (file === undefined) return;
  const base = file.replace(/\.(?:html|json)$/, '');
  await writeFile(`${base}.html`, reportHtml(report));
  await writeFile(`${base}.json`, `${JSON.stringify(report, null, 2)}\n`);
}

export const importCommand = buildCommand({
  func: run,
  parameters: {
    flags: {
      ...commonFlags,
      from: {
        kind: 'enum',
        values: importSources,
        optional: true,
        brief: 'Product that the archive comes from; told from its content by default',
      },
      name: optionalTextFlag('name', 'Name of the organization here; unchanged by default'),
      files: optionalTextFlag('folder', 'Folder with files of Slack or Rocket.Chat, named by their ids'),
      report: optionalTextFlag('file', 'Write the report to FILE.html and FILE.json'),
      into: optionalTextFlag('name', 'Import into this organization, which people use'),
      plan: {
        kind: 'boolean',
        brief: 'Show what would be imported, and write nothing',
        default: false,
        withNegated: false,
      },
    },
    positional: oneArgument('archive', 'Archive of Parley or of another product'),
  },
  docs: {
    brief: 'Import an archive as an organization of this deployment',
    fullDescription:
      'All of the archive is checked before anything is written: its checksums, each value as the API checks it, and that nothing refers to what is not in it. An archive of another product is first converted, and a report counts what is kept, changed and left out (docs/importing.md). Nobody can reach a new organization until the import is complete, and nothing is left of one that is refused. With --into, an organization that people use gets what it does not have yet, before what they have written. To continue an import that was interrupted, run the same command again.',
    customUsage: [
      'acme.tar.gz',
      'acme.tar.gz --name acme-old',
      'slack-export.zip --plan',
      'slack-export.zip --name acme --report report.html',
      'slack-export.zip --into acme --plan',
    ],
  },
});

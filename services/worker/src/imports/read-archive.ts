import {
  type ConversionReport,
  type MergePlan,
  chooseSource,
  convertArchive,
  growOrganization,
  importInto,
  planMerge,
  refused,
} from '@parley/archive';
import type { Engine } from '@parley/engine';
import type { FileStore } from '@parley/files';
import type { Realm } from '@parley/model';
import type { ArchivePlan, ImportSource } from '@parley/protocol';

import type { Pace } from './pace.ts';
import { presentPlan } from './present-plan.ts';
import type { ImportTask } from './task.ts';

interface Reading {
  engine: Engine;
  store: FileStore;
  realm: Realm;
  pace: Pace;
}

/**
 * Plans the import of an archive into an organization, or imports it: what `parley import --into` does.
 *
 * @throws ArchiveRefused for what cannot be read
 */
export async function readArchive(
  reading: Reading,
  { archive, source, isPlan }: ImportTask,
): Promise<ArchivePlan> {
  const from = await chooseSource(archive, source ?? undefined);
  if (from === undefined) throw refused('unknown_product');
  const merge = isPlan ? plan : load;
  if (from === 'parley') return presentPlan(await merge(reading, archive), null);
  await using converted = await convert(reading, archive, from);
  return presentPlan(await merge(reading, converted.file), converted.report);
}

async function convert(
  { realm, pace }: Reading,
  archive: string,
  from: Exclude<ImportSource, 'parley'>,
): Promise<AsyncDisposable & { file: string; report: ConversionReport }> {
  return await convertArchive({
    archive,
    from,
    name: realm.name,
    onProgress: ({ phase, ...progress }) =>
      pace.advance({ phase: phase === 'reading' ? 'reading' : 'converting', ...progress }),
  });
}

async function plan({ engine, realm, pace }: Reading, archive: string): Promise<MergePlan> {
  pace.advance({ phase: 'comparing', done: 0, of: 0 });
  const { sql } = await engine.serverOf(realm.id);
  return await planMerge({ sql, realm, archive });
}

async function load({ engine, store, realm, pace }: Reading, archive: string): Promise<MergePlan> {
  const { sql, db } = await engine.serverOf(realm.id);
  const growth = await growOrganization(engine, realm);
  pace.advance({ phase: 'comparing', done: 0, of: 0 });
  const onProgress = ({ files, of }: { files: number; of: number }) =>
    pace.advance({ phase: 'importing', done: files, of });
  const servers = { sql, db, first: engine.sql };
  return await importInto({ ...servers, realm, store, archive, growth, now: new Date(), onProgress });
}

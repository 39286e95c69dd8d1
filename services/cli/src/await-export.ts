import { createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { createFileStore, filesConfig, openInTurn } from '@parley/files';
import { pause } from '@parley/kit';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';

import type { Context } from './context.ts';
import type { Deployment } from './deployment.ts';
import { Refusal } from './refusal.ts';

const pollMs = 500;
/** After this time without a worker, whoever waits is told. */
const patienceMs = 90_000;

type ExportRow = NonNullable<Awaited<ReturnType<typeof model.exports.findExport>>>;

/**
 * Waits until workers have made an export, and shows how far they are.
 *
 * @throws Refusal if there is no such export, or if it has failed
 */
export async function awaitExport(
  context: Context,
  { engine }: Deployment,
  realm: Realm,
  id: number,
): Promise<ExportRow> {
  const find = async () => {
    const row = await model.exports.findExport(await engine.dbOf(realm.id), { realmId: realm.id, id });
    if (row?.userId === null) return row;
    throw new Refusal(`The operator has not requested an export ${id} of ${realm.name}.`);
  };
  let row = await find();
  using progress = context.progress(`Export ${id}`, Math.max(row.messagesTotal, 1));
  let [shown, waitedMs] = [0, 0];
  while (row.status === 'requested' || row.status === 'started') {
    progress.advance(row.messages - shown);
    shown = row.messages;
    await pause(pollMs);
    waitedMs += pollMs;
    if (row.status === 'requested' && waitedMs === patienceMs) {
      context.process.stderr.write('No worker has started the export yet. Is one running?\n');
    }
    row = await find();
  }
  if (row.status === 'succeeded') return row;
  throw new Refusal(`Export ${id}: ${row.status}.`, row.failure ?? 'Request another one: parley export');
}

/** Copies the archive of an export from the file store into a file, which is there completely or not at all. */
export async function saveArchive(
  context: Context,
  { engine }: Deployment,
  row: ExportRow,
  file: string,
): Promise<{ bytes: number }> {
  const store = await createFileStore(context.readConfig(filesConfig));
  const parts = await model.exports.listExportParts(await engine.dbOf(row.realmId), row);
  const objects = parts.map(({ name, bytes }) => ({ key: `${row.folder}/${name}`, bytes }));
  await using beside = await makeFolderBeside(file);
  const partial = join(beside.path, basename(file));
  await pipeline(openInTurn(store, objects), createWriteStream(partial, { mode: 0o600 }));
  await rename(partial, file);
  return { bytes: objects.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Makes a folder beside a file, for what is on the way to it: on the same disk, and of no name that anything has. */
export async function makeFolderBeside(file: string): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(`${file}.`);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

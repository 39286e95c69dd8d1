import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import * as actions from '@parley/actions';
import { openInTurn } from '@parley/files';
import * as model from '@parley/model';
import { exportTypes } from '@parley/protocol';
import { expect } from 'vitest';

import { runOnDemand } from './jobs.ts';
import type { Person } from './person.ts';
import { getWorld } from './world.ts';

const anyLimits = { perWeek: null, messages: null, bytes: null };

/** As if an administrator had asked for an export and a worker had made it, of a single part. Answers with its id. */
export async function makeExport(by: Person): Promise<number> {
  const { engine } = await getWorld();
  const { id } = await engine.perform(by.realm.id, actions.exports.request, {
    actor: by.actor,
    type: exportTypes.public,
    limits: anyLimits,
    now: new Date(),
  });
  await workOnExport(by, id);
  return id;
}

/** What a worker does with an export: it begins, stores the one part, and ends. */
export async function workOnExport({ realm }: Person, id: number): Promise<void> {
  const { engine, store } = await getWorld();
  const lease = await takeUp(realm, id);
  const until = new Date(Date.now() + 60_000);
  const row = await engine.db.query.realmExports.findFirst({ where: (one, { eq }) => eq(one.id, id) });
  const content = Buffer.from('an archive');
  await store.put(`${row?.folder}/part`, content, 'application/gzip');
  const part = { number: 0, name: 'part', bytes: content.length, messages: 0, messagesTotal: 0, summary: {} };
  await actions.exports.addPart(engine.db, lease, { ...part, progress: {}, until });
  await engine.perform(realm.id, actions.exports.finish, { realm, lease, now: new Date() });
}

/** A worker begins with an export and finds that it cannot be made. */
export async function failExport({ realm }: Person, id: number): Promise<void> {
  const { engine } = await getWorld();
  const lease = await takeUp(realm, id);
  const failure = { failure: 'There is no room.', now: new Date() };
  await engine.perform(realm.id, actions.exports.fail, { realm, lease, ...failure });
}

async function takeUp(realm: Person['realm'], id: number): Promise<actions.exports.Lease> {
  const { engine } = await getWorld();
  const now = new Date();
  const times = { now, until: new Date(now.getTime() + 60_000) };
  const { taken } = await engine.perform(realm.id, actions.exports.takeUp, { realm, id, ...times });
  if (!taken) throw new Error(`Export ${id} cannot be taken up.`);
  return taken.of;
}

/** Asks for an export of everything, as the operator. */
export async function requestEverything({ id }: Person['realm']): Promise<number> {
  const { engine } = await getWorld();
  return (await engine.perform(id, actions.exports.requestEverything, { realm: { id }, now: new Date() })).id;
}

/** Where an export is. */
export async function exportRow(id: number) {
  const { engine } = await getWorld();
  const row = await engine.db.query.realmExports.findFirst({ where: (one, { eq }) => eq(one.id, id) });
  if (!row) throw new Error(`There is no export ${id}.`);
  return row;
}

/** Writes the archive of an export into a file. */
export async function saveArchive(id: number, file: string): Promise<void> {
  const { engine, store } = await getWorld();
  const row = await exportRow(id);
  const parts = await model.exports.listExportParts(engine.db, row);
  const objects = parts.map(({ name, bytes }) => ({ key: `${row.folder}/${name}`, bytes }));
  await pipeline(openInTurn(store, objects), createWriteStream(file));
}

/** Exports everything of a realm, in small parts, into a file. Answers with the file. */
export async function exportEverything({ realm }: Pick<Person, 'realm'>, file: string): Promise<string> {
  const id = await requestEverything(realm);
  await runOnDemand('export-realm', id, { messagesPerExportPart: 20 });
  expect(await exportRow(id)).toMatchObject({ status: 'succeeded', failure: null });
  await saveArchive(id, file);
  return file;
}

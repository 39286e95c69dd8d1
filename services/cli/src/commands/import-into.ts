import {
  type ConversionReport,
  type MergePlan,
  growOrganization,
  importInto,
  planMerge,
  reportText,
} from '@parley/archive';
import { createFileStore, filesConfig } from '@parley/files';

import type { Context } from '../context.ts';
import { Phases } from '../phases.ts';

/**
 * Looks for an organization before an archive is read for it.
 *
 * @throws Refusal if there is none of this name
 */
export async function findOrganization(context: Context, name: string): Promise<void> {
  await using deployment = await context.open();
  await deployment.getRealm(name);
}

/** Imports an archive of this product into an organization that people use, or shows what that would do. */
export async function loadInto(
  context: Context,
  archive: string,
  { into, plan }: { into: string; plan: boolean },
  report?: ConversionReport,
): Promise<void> {
  await using deployment = await context.open();
  const realm = await deployment.getRealm(into);
  const { sql, db } = await deployment.engine.serverOf(realm.id);
  const reading = { sql, realm, archive };
  if (plan) {
    const planned = await planMerge(reading);
    context.show(
      shown(planned, report),
      `Into ${realm.name}. Nothing has been written.\n\n${textOf(planned, report)}`,
    );
    return;
  }
  const growth = await growOrganization(deployment.engine, realm);
  const store = await createFileStore(context.readConfig(filesConfig));
  using phases = new Phases(context.process.stderr, Date.now);
  const onProgress = ({ files, of }: { files: number; of: number }) =>
    phases.advance('Importing', { count: files, unit: 'files of the archive', done: files, of });
  const done = await importInto({
    ...reading,
    first: deployment.engine.sql,
    db,
    store,
    growth,
    now: new Date(),
    onProgress,
  });
  phases[Symbol.dispose]();
  const said = done.isDone
    ? 'This archive has been imported before. Nothing has changed.'
    : textOf(done, report);
  context.show(
    { realm: realm.name, id: realm.id, url: realm.url, ...shown(done, report) },
    `${realm.url}: ${said}`,
  );
}

const shown = (plan: MergePlan, report?: ConversionReport) => ({
  into: {
    is_done: plan.isDone,
    people: plan.people,
    channels: plan.channels,
    renamed_channels: plan.renamed,
    emoji: plan.emoji,
    messages: messagesOf(plan),
    left_out: plan.leftOut,
  },
  ...(report && { report }),
});

const messagesOf = ({ messages: { here, created, changed, removed, keptAsEdited, reacted } }: MergePlan) => ({
  here,
  created,
  ...(changed !== undefined && { changed, removed, kept_as_edited: keptAsEdited, reacted }),
});

function textOf(
  { people, channels, emoji, messages, renamed, leftOut }: MergePlan,
  report?: ConversionReport,
): string {
  const counted = { people, channels, emoji, messages };
  const lines = Object.entries(counted).map(
    ([name, { here, created }]) =>
      `${name.padEnd(16)}${String(created).padStart(10)} new${String(here).padStart(10)} here already`,
  );
  const { changed = 0, removed = 0, keptAsEdited = 0, reacted = 0 } = messages;
  const followed = [
    ...(changed + removed > 0
      ? [`${changed} messages changed and ${removed} deleted, as at their source`]
      : []),
    ...(reacted > 0 ? [`${reacted} messages with other reactions, as at their source`] : []),
    ...(keptAsEdited > 0
      ? [`${keptAsEdited} changed at their source, and stay as they were edited here`]
      : []),
  ];
  const left = Object.entries(leftOut).map(([table, rows]) => `left out: ${rows} rows of ${table}`);
  const beside = renamed.map(({ name, as }) => `#${name} becomes #${as}: there is another #${name}`);
  return [...lines, ...followed, ...beside, ...left, ...(report ? ['', reportText(report)] : [])].join('\n');
}

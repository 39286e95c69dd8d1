import { join } from 'node:path';

import * as actions from '@parley/actions';
import { type ExportJob, PartSummary, Progress, firstProgress, writeNextPart } from '@parley/archive';
import { makeWorkFolder, removeLeftFolders } from '@parley/kit';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';

import type { JobDeps, OnDemandJob } from '../job.ts';
import { realmOfJob } from '../realm-of-job.ts';

/** How long an export is held without a sign of life. Another worker goes on with it after that time. */
const leaseMs = 60_000;
const renewMs = 15_000;

/**
 * Makes the archive of an export, part by part. A part is stored, then recorded with what the next one begins with: a
 * worker that takes an export up goes on behind the last part that was recorded. One that no longer holds it records
 * nothing.
 */
export const exportRealmJob: OnDemandJob = {
  name: 'export-realm',
  concurrency: 1,
  async run(deps, id, said) {
    const { engine, site, clock } = deps;
    const realmId = await realmOfJob(engine, 'realmExports', { id, realmId: said });
    if (realmId === undefined) return {};
    const realm = model.realms.realmAt(
      await model.realms.getRealm(await engine.dbOf(realmId), realmId),
      site,
    );
    if (!realm) return {};
    const now = new Date(clock.nowMs());
    const { taken } = await engine.perform(realm.id, actions.exports.takeUp, {
      realm,
      id,
      now,
      until: inLease(clock.nowMs()),
    });
    if (!taken) return {};
    try {
      return await make(deps, realm, taken);
    } catch (error) {
      if (error instanceof actions.exports.LeaseLost) return { lost: true };
      throw error;
    }
  },
};

const inLease = (nowMs: number) => new Date(nowMs + leaseMs);

type Taken = NonNullable<Awaited<ReturnType<typeof actions.exports.takeUp>>['taken']>;

async function make(deps: JobDeps, realm: Realm, row: Taken): Promise<object> {
  const { engine, store, clock } = deps;
  const { of: lease, folder } = row;
  const db = await engine.dbOf(realm.id);
  const job: ExportJob = {
    sql: await engine.servers.sqlOf(realm.id),
    store,
    realmId: realm.id,
    type: row.type,
    requestedAt: row.requestedAt,
    messagesPerPart: deps.messagesPerExportPart,
    now: () => new Date(clock.nowMs()),
    async *summaries() {
      for (const { number, summary } of await model.exports.listExportParts(db, row)) {
        yield { number, summary: PartSummary.parse(summary) };
      }
    },
  };
  const begun = Progress.safeParse(row.progress);
  let progress = begun.success ? begun.data : await firstProgress(job);
  const messagesTotal = (await model.exports.estimateExport(db, realm.id)).messages;
  let parts = 0;
  await removeLeftFolders();
  await using temporary = await makeWorkFolder('export');
  const renewal = setInterval(() => {
    actions.exports.renew(db, lease, inLease(clock.nowMs())).catch(() => undefined);
  }, renewMs);
  try {
    while (progress.phase !== 'done') {
      const file = join(temporary.path, 'part');
      const part = await writeNextPart(job, progress, file);
      // Whoever takes the export up writes objects of other names.
      const name = `${part.number}-${lease.number}.gz`;
      await store.put(`${folder}/${name}`, { file, bytes: part.bytes }, 'application/gzip');
      const { number, bytes, messages, summary, next } = part;
      const until = inLease(clock.nowMs());
      const recorded = { number, name, bytes, messages, summary, progress: next, messagesTotal, until };
      await actions.exports.addPart(db, lease, recorded);
      progress = next;
      parts += 1;
    }
  } finally {
    clearInterval(renewal);
  }
  await engine.perform(realm.id, actions.exports.finish, { realm, lease, now: new Date(clock.nowMs()) });
  return { parts };
}

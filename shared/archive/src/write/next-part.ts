import {
  type LogPosition,
  type Manifest,
  type PartSummary,
  type TableSummary,
  addToSummary,
  endPath,
  formatName,
  formatVersion,
  manifestPath,
  partNumbers,
} from '../manifest.ts';
import type { Scope } from '../tables/table.ts';
import { addAvatars, addPictures, addUploads } from './files.ts';
import type { ExportJob, Progress, WrittenPart } from './job.ts';
import { addMessages, idsPerRead } from './messages.ts';
import { PartWriter } from './part.ts';
import { type Snapshot, inSnapshot } from './rows.ts';
import { exportType, readScope } from './scope.ts';
import { addTables } from './tables.ts';

type Phase = Progress['phase'];
type ProgressOf<Name extends Phase> = Extract<Progress, { phase: Name }>;

/** What a phase has added: how many messages, and what comes next. */
interface Step {
  messages?: number;
  next: Progress;
  isEnd?: boolean;
  log?: LogPosition;
}

/** Returns the progress of an export that has no part yet. */
export async function firstProgress({ sql, realmId }: ExportJob): Promise<Progress> {
  const [first] = await sql<{ id: number | null }[]>`
    select min(id) as id from messages where realm_id = ${realmId}`;
  return { phase: 'messages', after: (first?.id ?? 1) - 1, part: partNumbers.first };
}

/** Writes the next part of an archive into a file of this machine. */
export async function writeNextPart(
  job: ExportJob,
  progress: Exclude<Progress, { phase: 'done' }>,
  file: string,
): Promise<WrittenPart> {
  const number = numberOf(progress);
  const part = new PartWriter(file, number);
  try {
    const { messages = 0, next, isEnd = false, log } = await write(job, part, progress);
    return { ...(await part.finish({ isEnd, log })), number, messages, next };
  } catch (error) {
    part.abort();
    throw error;
  }
}

function numberOf(progress: Progress): number {
  if (progress.phase === 'tables') return partNumbers.tables;
  return 'part' in progress ? progress.part : partNumbers.manifest;
}

async function write(job: ExportJob, part: PartWriter, progress: Progress): Promise<Step> {
  if (progress.phase === 'manifest') {
    await part.add(manifestPath, Buffer.from(`${JSON.stringify(await readManifest(job), null, 1)}\n`));
    return { next: { phase: 'done' } };
  }
  if (progress.phase === 'end') {
    await part.add(endPath, Buffer.from('{}\n'));
    return { next: { phase: 'manifest', end: progress.part }, isEnd: true };
  }
  const { sql, realmId } = job;
  const scope = await readScope(sql, realmId, exportType(job.type));
  return await inSnapshot(sql, (tx) => writeFromSnapshot(job, tx, part, scope, progress));
}

async function writeFromSnapshot(
  job: ExportJob,
  tx: Snapshot,
  part: PartWriter,
  scope: Scope,
  progress: Progress,
): Promise<Step> {
  switch (progress.phase) {
    case 'messages':
      return await writeMessages(job, tx, part, scope, progress);
    case 'tables': {
      const { after, part: next } = progress;
      const perPart = job.messagesPerPart;
      const added = await addTables(tx, part, scope, { after, since: job.requestedAt, perPart });
      return { ...added, next: { phase: 'uploads', after: 0, part: next } };
    }
    case 'uploads': {
      const last = await addUploads(tx, job.store, part, scope, progress.after);
      const next = progress.part + 1;
      return {
        next:
          last === null
            ? { phase: 'avatars', after: 0, part: next }
            : { phase: 'uploads', after: last, part: next },
      };
    }
    case 'avatars': {
      const last = await addAvatars(tx, job.store, part, scope, progress.after);
      const next = progress.part + 1;
      return {
        next:
          last === null ? { phase: 'pictures', part: next } : { phase: 'avatars', after: last, part: next },
      };
    }
    case 'pictures':
      await addPictures(tx, job.store, part, scope);
      return { next: { phase: 'end', part: progress.part + 1 } };
    default:
      throw new Error(`No rows are read while an export is at ${progress.phase}.`);
  }
}

/** Adds messages until a part is full, or until the newest are so few that they are read with the tables. */
async function writeMessages(
  { messagesPerPart: max, realmId }: ExportJob,
  tx: Snapshot,
  part: PartWriter,
  scope: Scope,
  { after: begin, part: number }: ProgressOf<'messages'>,
): Promise<Step> {
  const [{ newest } = { newest: 0 }] = await tx<{ newest: number }[]>`
    select message_id as newest from realm_heads where realm_id = ${realmId}`;
  let [last, messages] = [begin, 0];
  while (messages === 0) {
    if (newest - last < max / 2) return { next: { phase: 'tables', after: last, part: number + 1 } };
    // Ids may begin far above 0, and be far apart.
    const [{ next } = { next: newest }] = await tx<{ next: number }[]>`
      select id as next from messages where realm_id = ${realmId} and id > ${last} order by id limit 1`;
    const after = Math.max(last, next - 1);
    const step = await addMessages(tx, part, scope, { after, upTo: after + idsPerRead, max });
    last = step.last;
    messages += step.messages;
  }
  return { messages, next: { phase: 'messages', after: last, part: number + 1 } };
}

async function readManifest(job: ExportJob): Promise<Manifest> {
  const { sql, realmId, requestedAt } = job;
  const tables: Record<string, TableSummary> = {};
  const parts: Manifest['parts'] = [];
  let missing = 0;
  let log: LogPosition | undefined;
  for await (const { number, summary } of job.summaries()) {
    addPart(tables, summary);
    parts.push({ number, sha256: summary.sha256 });
    missing += summary.missingFiles;
    log ??= summary.log;
  }
  const [realm] = await sql<
    { id: number; name: string }[]
  >`select id, name from realms where id = ${realmId}`;
  if (!realm || !log) throw new Error(`An export of realm ${realmId} has no tables.`);
  return {
    format: formatName,
    version: formatVersion,
    type: exportType(job.type),
    requested_at: requestedAt.toISOString(),
    finished_at: job.now().toISOString(),
    realm: { id: realm.id, name: realm.name },
    log,
    tables,
    missing_files: missing,
    parts,
  };
}

function addPart(tables: Record<string, TableSummary>, summary: PartSummary): void {
  for (const [name, table] of Object.entries(summary.tables)) addToSummary(tables, name, table);
}

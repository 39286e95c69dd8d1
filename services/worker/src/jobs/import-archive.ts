import { createWriteStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import * as actions from '@parley/actions';
import { makeWorkFolder, removeLeftFolders } from '@parley/kit';
import * as model from '@parley/model';
import type { ImportProgress } from '@parley/protocol';

import type { ImportOutcome } from '../imports/importer.ts';
import { Pace } from '../imports/pace.ts';
import type { JobDeps, OnDemandJob } from '../job.ts';

/** How long an import is held without a sign of life. Another worker goes on with it after that time. */
const leaseMs = 60_000;
const renewMs = 15_000;

type Taken = NonNullable<Awaited<ReturnType<typeof actions.archiveImports.takeUp>>['taken']>;

/**
 * Plans the import of an archive that has arrived, or imports it once an owner has confirmed that. A process of its own
 * reads the archive; the worker fetches it, says how far it is, and writes down what came of it. A worker that takes up
 * what another one has begun does the same again: what is there already is not imported twice.
 */
export const importArchiveJob: OnDemandJob = {
  name: 'import-archive',
  concurrency: 1,
  async run(deps, id, realmId) {
    if (realmId === undefined) return {};
    const { engine, clock } = deps;
    const now = new Date(clock.nowMs());
    const { taken } = await engine.perform(realmId, actions.archiveImports.takeUp, {
      realm: { id: realmId },
      id,
      now,
      until: inLease(clock.nowMs()),
    });
    if (!taken) return {};
    try {
      return await work(deps, taken);
    } catch (error) {
      if (error instanceof actions.archiveImports.ImportLeaseLost) return { lost: true };
      throw error;
    }
  },
};

const inLease = (nowMs: number) => new Date(nowMs + leaseMs);

async function work(deps: JobDeps, row: Taken): Promise<object> {
  const { engine, clock, importer } = deps;
  await removeLeftFolders();
  await using folder = await makeWorkFolder('import');
  using held = new HeldImport(deps, row.of);
  const archive = join(folder.path, 'archive');
  const isPlan = row.status === 'planning';
  const outcome =
    (await fetchArchive(deps, row, archive, held)) ??
    (await importer.run(
      { isPlan, realmId: row.realmId, source: row.source, archive },
      { folder: folder.path, signal: held.signal, onProgress: (progress) => held.tell(progress) },
    ));
  const { of: lease } = row;
  const now = new Date(clock.nowMs());
  if ('refusal' in outcome) {
    const { refusal } = outcome;
    await engine.perform(row.realmId, actions.archiveImports.fail, { lease, refusal, now });
    return { refused: true };
  }
  const { plan } = outcome;
  if (isPlan) await engine.perform(row.realmId, actions.archiveImports.finishPlan, { lease, plan, now });
  else await engine.perform(row.realmId, actions.archiveImports.finish, { lease, report: plan, now });
  return { [isPlan ? 'planned' : 'imported']: plan.messages.created };
}

/** The right to an import, renewed while this lasts. When it is lost, the signal aborts. */
class HeldImport implements Disposable {
  readonly #deps: Pick<JobDeps, 'engine' | 'clock'>;
  readonly #lease: actions.archiveImports.ImportLease;
  readonly #lost = new AbortController();
  readonly #renewal: NodeJS.Timeout;
  #isTelling = false;

  constructor(deps: Pick<JobDeps, 'engine' | 'clock'>, lease: actions.archiveImports.ImportLease) {
    this.#deps = deps;
    this.#lease = lease;
    this.#renewal = setInterval(() => void this.#advance(null), renewMs);
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** Writes down how far the import is, unless the last time is still being written. */
  tell(progress: ImportProgress): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    void this.#advance(progress).finally(() => (this.#isTelling = false));
  }

  async #advance(progress: ImportProgress | null): Promise<void> {
    const { engine, clock } = this.#deps;
    const step = { until: inLease(clock.nowMs()), progress };
    // If Postgres does not answer, the next step may find it.
    await actions.archiveImports.advance(engine.db, this.#lease, step).catch((error: unknown) => {
      if (error instanceof actions.archiveImports.ImportLeaseLost) this.#lost.abort(error);
    });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#renewal);
  }
}

/** Puts an archive together in a file. Returns why that is not possible; null if it is. */
async function fetchArchive(
  { engine, store, clock }: JobDeps,
  { realmId, id, uploadId, bytes }: Taken,
  file: string,
  held: HeldImport,
): Promise<ImportOutcome | null> {
  const realm = { id: realmId };
  const folder = model.files.importFolder(realmId, uploadId);
  const pace = new Pace(
    (progress) => held.tell(progress),
    () => clock.nowMs(),
  );
  await writeFile(file, '');
  let done = 0;
  for (const name of await model.archiveImports.listImportPieces(engine.db, realm, id)) {
    held.signal.throwIfAborted();
    pace.advance({ phase: 'fetching', done, of: bytes });
    const piece = await store.open(`${folder}/${name}`);
    if (!piece) break;
    await pipeline(piece.body, createWriteStream(file, { flags: 'a' }));
    done = (await stat(file)).size;
  }
  return done === bytes ? null : { refusal: { code: 'upload_incomplete', values: {} } };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';

import type { Sql } from '@parley/db';
import { afterAll, describe, expect, test, vi } from 'vitest';

import { type Outcome, beginUpload, refusalOf, upload } from '../../api/uploads/tus-client.ts';
import {
  type Json,
  type Person,
  type TestRealm,
  getWorld,
  outcomeOf,
  parley,
  realm,
  refused,
  runOnDemand,
  runRecurring,
  settingsOfWorld,
  succeed,
  withProcesses,
} from '../../support/index.ts';
import { livingRealm, openSlackArchives } from '../converted-archives/living.ts';

const archives = await openSlackArchives();
afterAll(() => archives[Symbol.asyncDispose]());
const content = await readFile(archives.archive);

const path = '/api/v1/realm/import_archives';
const options = { path, metadata: { filename: 'acme.zip', filetype: 'application/zip' }, chunkSize: 1000 };
const send = (by: Person, bytes: Buffer = content): Promise<Outcome> => upload(by, bytes, options);

/** As if a worker had nothing else to do. */
const work = ({ realm: { id: realmId } }: TestRealm, id: number, laterMs = 0) =>
  runOnDemand('import-archive', id, { clock: { nowMs: () => Date.now() + laterMs } }, realmId);

const readImport = async (by: Person, id: number): Promise<Json> =>
  await succeed(by.get(`/realm/imports/${id}`));

/** What an archive has brought, without ids. */
async function broughtTo({ realm: { id } }: TestRealm): Promise<Json[]> {
  const { sql } = await getWorld();
  const messages = await sql`
    select c.name as channel, t.name as topic, u.email, m.sent_at, m.ordinal,
      regexp_replace(m.content, '(\\||user_uploads/)\\d+', '\\1', 'g') as content,
      (select count(*)::int from reactions r where r.realm_id = m.realm_id and r.message_id = m.id) as reactions
    from messages m join imported_messages i on i.realm_id = m.realm_id and i.message_id = m.id
    join users u on u.id = m.sender_id left join channels c on c.id = m.channel_id
    left join topics t on t.id = m.topic_id where m.realm_id = ${id} order by m.id`;
  return messages.map((row) => ({ ...row }));
}

async function importedByCommand(): Promise<Json[]> {
  const home = await livingRealm();
  const { uploads } = await getWorld();
  const done = await parley(['import', archives.archive, '--into', home.realm.name], {
    env: { UPLOADS_DIR: uploads },
  });
  expect(done.stderr).not.toContain('refused');
  return await broughtTo(home);
}

/** Uploads, and has a worker plan. Answers with the id. */
async function planned(home: TestRealm, bytes?: Buffer): Promise<number> {
  const { body } = await send(home.owner, bytes);
  await work(home, body.id);
  return body.id;
}

/** The folders of archives that are still there, of an organization. */
async function storedFolders({ realm: { id } }: TestRealm): Promise<string[]> {
  const { uploads } = await getWorld();
  return await readdir(`${uploads}/imports/${id}`).catch(() => []);
}

describe('an owner imports an archive into the organization', withProcesses, () => {
  test('it is uploaded, planned, confirmed and imported as by the command, and nothing is left of it', async () => {
    const home = await livingRealm();
    const { owner } = home;
    const { body } = await send(owner);
    expect(body).toEqual({ result: 'success', msg: '', id: expect.any(Number) });
    const waiting = await readImport(owner, body.id);
    expect(waiting.import).toMatchObject({
      user_id: owner.id,
      file_name: 'acme.zip',
      bytes: content.length,
      received: content.length,
      upload_id: null,
      status: 'planning',
    });
    expect(outcomeOf(await owner.post(`/realm/imports/${body.id}/confirm`))).toBe(
      'This import has no plan yet.',
    );
    expect(await storedFolders(home)).toHaveLength(1);

    await work(home, body.id);
    const { plan, report, import: shown } = await readImport(owner, body.id);
    expect(shown).toMatchObject({ status: 'planned', failure: null, progress: null });
    expect([plan, report]).toEqual([
      expect.objectContaining({
        source: 'slack',
        is_done: false,
        people: { here: 1, created: 11 },
        messages: expect.objectContaining({ here: 0 }),
      }),
      null,
    ]);
    const notice = { code: 'notice', values: { product: 'Slack', type: 'channel_join' } };
    const left = { kind: 'messages', reason: 'It is a notice of Slack (channel_join)', ...notice };
    expect(plan.left_out).toContainEqual(expect.objectContaining(left));
    expect(await broughtTo(home)).toEqual([]);

    await succeed(owner.post(`/realm/imports/${body.id}/confirm`));
    expect(outcomeOf(await owner.delete(`/realm/imports/${body.id}`))).toBe(
      'This import has begun, and cannot be cancelled.',
    );
    await work(home, body.id);
    const done = await readImport(owner, body.id);
    expect(done.import).toMatchObject({ status: 'done', failure: null, ended_at: expect.any(Number) });
    expect(done.report.messages.created).toBe(plan.messages.created);
    expect(await broughtTo(home)).toEqual(await importedByCommand());
    expect(await broughtTo(home)).toHaveLength(plan.messages.created);

    await runRecurring('sweep-files');
    expect(await storedFolders(home)).toEqual([]);
    const again = await planned(home);
    expect((await readImport(owner, again)).plan).toMatchObject({ is_done: true });
    expect(outcomeOf(await owner.post(`/realm/imports/${again}/confirm`))).toBe(
      'This archive has been imported before.',
    );
    const { imports } = await succeed(owner.get('/realm/imports'));
    expect(imports.map(({ id, status }: Json) => [id, status])).toEqual([
      [again, 'planned'],
      [body.id, 'done'],
    ]);
  });

  test('its product can be named: a content that says otherwise, or nothing, is refused', async () => {
    const home = await livingRealm();
    const { owner } = home;
    const sendAs = (source: string, bytes: Buffer = content) =>
      upload(owner, bytes, { ...options, metadata: { ...options.metadata, source } });
    const planOf = async ({ body }: Outcome) => {
      await work(home, body.id);
      const { import: shown, plan } = await readImport(owner, body.id);
      await owner.delete(`/realm/imports/${body.id}`);
      const { source, status, failure, failure_reason: reason } = shown;
      return { source, status, failure, reason, of: plan?.source ?? null };
    };
    expect(await planOf(await sendAs('slack'))).toEqual({
      source: 'slack',
      status: 'planned',
      failure: null,
      reason: null,
      of: 'slack',
    });
    expect(await planOf(await sendAs('mattermost'))).toMatchObject({
      source: 'mattermost',
      status: 'failed',
      failure: 'This is an archive of slack, not of mattermost.',
      reason: { code: 'other_product', values: { found: 'slack', said: 'mattermost' } },
    });
    expect(await planOf(await send(owner, Buffer.from('no archive')))).toMatchObject({
      source: null,
      status: 'failed',
      failure: expect.stringContaining('which product'),
    });
    await expect(sendAs('teams')).rejects.toThrow('The source of an archive is one of');
    const { imports } = await succeed(owner.get('/realm/imports'));
    expect(imports).toHaveLength(3);
  });

  test('a damaged archive fails with the sentence of the command, and brings nothing', async () => {
    const home = await livingRealm();
    const cut = content.subarray(0, -200);
    const { stderr } = await parley(['import', await archives.write('cut.zip', ''), '--plan']);
    expect(stderr).toContain('It cannot be told from this file which product it comes from.');
    for (const [bytes, sentence, reason] of [
      [
        cut,
        'The archive is damaged: it ends in the middle. Copy or download it again.',
        { code: 'cut_short', values: {} },
      ],
      [
        Buffer.from('nothing'),
        'It cannot be told from this file which product it comes from.',
        { code: 'unknown_product', values: {} },
      ],
    ] as const) {
      const id = await planned(home, Buffer.from(bytes));
      const { import: failed, plan } = await readImport(home.owner, id);
      expect(failed.status).toBe('failed');
      expect(failed.failure).toMatch(sentence);
      expect(failed.failure_reason).toEqual(reason);
      expect(plan).toBeNull();
    }
    expect(await broughtTo(home)).toEqual([]);
    await runRecurring('sweep-files');
    expect(await storedFolders(home)).toEqual([]);
  });

  test('an archive of which a part is missing in the store fails', async () => {
    const home = await livingRealm();
    const { body } = await send(home.owner);
    const [folder = ''] = await storedFolders(home);
    await (await getWorld()).store.remove(`imports/${home.realm.id}/${folder}`);
    await work(home, body.id);
    expect((await readImport(home.owner, body.id)).import).toMatchObject({
      status: 'failed',
      failure: 'A part of the archive is missing on the server. Upload it again.',
      failure_reason: { code: 'upload_incomplete', values: {} },
    });
  });

  test('another import into the organization is refused while one runs', async () => {
    const home = await livingRealm();
    const { sql } = await getWorld();
    const id = await planned(home);
    await succeed(home.owner.post(`/realm/imports/${id}/confirm`));
    await using stopped = await stopAtTopics(sql);
    const running = work(home, id);
    await stopped.reached();
    // What another worker finds, and the command.
    expect(await work(home, id)).toEqual({});
    const other = await parley(['import', archives.archive, '--into', home.realm.name]);
    expect(other.stderr).toContain(`Another import into ${home.realm.name} is running.`);
    await stopped.goOn();
    await running;
    expect((await readImport(home.owner, id)).import.status).toBe('done');
  });

  test('a worker that is killed in the middle is succeeded by another, with the same result', async () => {
    const home = await livingRealm();
    const { sql } = await getWorld();
    const id = await planned(home);
    await using worker = await startWorker();
    await using stopped = await stopAtTopics(sql);
    await succeed(home.owner.post(`/realm/imports/${id}/confirm`));
    await stopped.reached();
    expect((await readImport(home.owner, id)).import.status).toBe('importing');
    worker.process.kill('SIGKILL');
    await stopped.goOn();
    await vi.waitUntil(async () => (await connectionsOfImports(sql)) === 0, { timeout: 240_000 });
    expect(await broughtTo(home)).toEqual([]);
    expect(await work(home, id)).toEqual({});
    await work(home, id, 61_000);
    expect((await readImport(home.owner, id)).import.status).toBe('done');
    expect(await broughtTo(home)).toEqual(await importedByCommand());
  });
});

async function connectionsOfImports(sql: Sql): Promise<number> {
  const rows = await sql`
    select from pg_stat_activity where datname = current_database() and application_name = 'parley-import'`;
  return rows.length;
}

/** Nobody gets any further than to the topics of an archive, until this goes on. */
async function stopAtTopics(sql: Sql) {
  const connection = await sql.reserve();
  await connection`begin`;
  // However long it takes others to get here.
  await connection`set local idle_in_transaction_session_timeout = 0`;
  await connection`lock table topics in share mode`;
  let isStopped = true;
  const goOn = async () => {
    if (!isStopped) return;
    isStopped = false;
    await connection`rollback`;
    connection.release();
  };
  return {
    async reached() {
      await vi.waitUntil(
        async () => {
          const rows = await sql`
            select from pg_locks l join pg_stat_activity a using (pid)
            where a.datname = current_database() and a.application_name = 'parley-import' and not l.granted`;
          return rows.length > 0;
        },
        // The import has a low priority, and a busy machine little time for it.
        { timeout: 240_000 },
      );
    },
    goOn,
    [Symbol.asyncDispose]: goOn,
  };
}

/** A worker as it is deployed. */
async function startWorker(): Promise<AsyncDisposable & { process: ChildProcess }> {
  const { uploads } = await getWorld();
  const program = new URL('../../../services/worker/dist/main.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [program], {
    env: { ...(await settingsOfWorld()), UPLOADS_DIR: uploads, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('"ready":true')) break;
  }
  return {
    process: child,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
    },
  };
}

describe('what is refused', withProcesses, () => {
  test('anyone but owners uploads, sees and decides nothing', async () => {
    const home = await realm();
    const refusal = { code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Only owners of the organization can do this.' };
    const { body } = await send(home.owner);
    for (const person of [home.admin, home.alice]) {
      expect(await refusalOf(send(person))).toMatchObject([400, refusal]);
      expect(await person.get('/realm/imports')).toMatchObject(refusal);
      expect(await person.get(`/realm/imports/${body.id}`)).toMatchObject(refusal);
      expect(await person.post(`/realm/imports/${body.id}/confirm`)).toMatchObject(refusal);
      expect(await person.delete(`/realm/imports/${body.id}`)).toMatchObject(refusal);
    }
    const elsewhere = await realm();
    const missing = refused('This import does not exist.');
    expect(await elsewhere.owner.get(`/realm/imports/${body.id}`)).toEqual(missing);
    expect(await elsewhere.owner.delete(`/realm/imports/${body.id}`)).toEqual(missing);
  });

  test('an archive that is too large, and any where none is taken', async () => {
    const { owner } = await realm();
    const { startApi } = await getWorld();
    for (const [importBytesMax, status, msg] of [
      [1000, 413, /^An archive can have at most 0 GiB\./],
      [0, 400, /^This server takes no archives\./],
    ] as const) {
      await using node = await startApi({ importBytesMax });
      const sent = upload(owner, content, { ...options, port: node.port });
      expect(await refusalOf(sent)).toMatchObject([status, { msg: expect.stringMatching(msg) }]);
    }
  });

  test('a second archive while another one is imported', async () => {
    const { owner } = await realm();
    const address = await beginUpload(owner, content, 1000, path);
    expect(await refusalOf(send(owner))).toMatchObject([
      400,
      { msg: 'Another archive is being imported. Finish or cancel that first.' },
    ]);
    const rest = await upload(owner, content, {
      ...options,
      uploadUrl: `http://${owner.realm.host}${address}`,
    });
    expect(rest.body.id).toEqual(expect.any(Number));
  });
});

describe('an archive that nobody goes on with', withProcesses, () => {
  test('is deleted when an owner cancels the import, before that has begun', async () => {
    const home = await livingRealm();
    const id = await planned(home);
    await succeed(home.owner.delete(`/realm/imports/${id}`));
    expect((await readImport(home.owner, id)).import).toMatchObject({ status: 'cancelled' });
    expect(outcomeOf(await home.owner.delete(`/realm/imports/${id}`))).toBe('This import has ended already.');
    expect(await work(home, id)).toEqual({});
    await runRecurring('sweep-files');
    expect(await storedFolders(home)).toEqual([]);
  });

  test('is deleted after a week', async () => {
    const home = await livingRealm();
    const { owner } = home;
    await beginUpload(owner, content, 1000, path);
    const statuses = async () =>
      (await succeed(owner.get('/realm/imports'))).imports.map(({ status }: Json) => status);
    const inDays = (days: number) => ({ clock: { nowMs: () => Date.now() + days * 86_400_000 } });
    await runRecurring('sweep-imports', inDays(6.9));
    expect(await statuses()).toEqual(['uploading']);
    await runRecurring('sweep-imports', inDays(7.1));
    expect(await statuses()).toEqual(['cancelled']);
    await runRecurring('sweep-files');
    expect(await storedFolders(home)).toEqual([]);
  });

  test('is enqueued again by the sweep if it waits for a worker', async () => {
    const home = await livingRealm();
    const { body } = await send(home.owner);
    const enqueued: object[] = [];
    const queues = { enqueue: (job: object) => void enqueued.push(job) };
    await runRecurring('sweep-imports', { queues });
    expect(enqueued).toContainEqual({ name: 'import-archive', id: body.id, realmId: home.realm.id });
  });
});

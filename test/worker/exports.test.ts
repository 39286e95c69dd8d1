import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { exportedTables, importArchive } from '@parley/archive';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { actions } from '../events/actions/index.ts';
import {
  type Elsewhere,
  type Json,
  type Params,
  type Person,
  type TestRealm,
  exportEverything,
  exportRow,
  getWorld,
  newest,
  parleyJson,
  personIn,
  realm,
  requestEverything,
  runOnDemand,
  saveArchive,
  say,
  startElsewhere,
  subscribe,
  succeed,
  tell,
  upload,
} from '../support/index.ts';
import { strayReferences } from './hostile-archives/deployment.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-archives-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A realm in which everything has happened that tests know of, as far as one thing lets another happen. */
async function eventfulRealm(): Promise<TestRealm> {
  const people = await realm();
  for (const action of Object.values(actions)) {
    try {
      await (
        await action(people)
      )();
    } catch {
      // What happened before has left no room for it.
    }
  }
  return people;
}

/** What differs between any two registrations, or belongs to a deployment. */
const differing = ['queue_id', 'last_event_id', 'presences', 'server_timestamp', 'server_generation'];

async function stateOf(person: Person, elsewhere?: Elsewhere): Promise<Json> {
  const ask = (method: string, path: string, params: Params = {}) =>
    person.ask(method, path, params, elsewhere && { port: elsewhere.port }).then(({ body }) => body);
  const state = await ask('POST', '/register', { client_capabilities: newest, include_subscribers: true });
  for (const name of differing) delete state[name];
  const page = await ask('GET', '/messages', { anchor: 'newest', num_before: 5000, num_after: 0 });
  const { attachments } = await ask('GET', '/attachments');
  const edited = page.messages.filter((one: Json) => one.last_edit_timestamp !== undefined);
  const histories = await Promise.all(edited.map((one: Json) => ask('GET', `/messages/${one.id}/history`)));
  return withoutOldHtml({ state, messages: page.messages, attachments, histories });
}

/** Columns with HTML, which an import makes anew: names may have changed since it was made. */
const htmlColumns = [
  'rendered_content',
  'rendered_version',
  'prev_rendered_content',
  'rendered_description',
  'rendered_value',
];

/** As if a newer renderer made the HTML of all messages that are read. */
const outdateHtml = async ({ realm: { id } }: TestRealm) =>
  (await getWorld()).sql`update messages set rendered_version = 0 where realm_id = ${id}`;

/** A link to a topic names its newest message, as of when it was rendered; and history keeps the HTML that it had. */
const withoutOldHtml = (state: Json): Json =>
  JSON.parse(
    JSON.stringify(state, (name, value: unknown) =>
      htmlColumns.includes(name) ? undefined : value,
    ).replaceAll(/(href=\\"[^"]*\/with\/)\d+/g, '$1'),
  );

const inFolder = (name: string) => join(folder, `${name}.tar.gz`);

const importHere = async (
  { sql, db, store }: Pick<Elsewhere, 'sql' | 'db' | 'store'>,
  archive: string,
  name?: string,
) => importArchive({ sql, db, store, site: (await getWorld()).site, archive, name, now: new Date() });

/** A file in a tar is followed by less than a block of padding. */
const tarBlock = 512;

describe('an organization in which much has happened', () => {
  let people: TestRealm;
  let archive: string;
  beforeAll(async () => {
    people = await eventfulRealm();
    await outdateHtml(people);
    archive = await exportEverything(people, inFolder('whole'));
  });

  test('all that was written in it comes into an organization that people use, and refers to nothing beside it', async () => {
    const home = await realm();
    const { sql, uploads } = await getWorld();
    const { into } = await parleyJson<Json>(['import', archive, '--into', home.realm.name], {
      env: { UPLOADS_DIR: uploads },
    });
    expect(into.messages.created).toBeGreaterThan(100);
    expect(into.left_out).not.toEqual({});
    const counts = async (id: number) => {
      const [row] = await sql`
        select (select count(*)::int from messages where realm_id = ${id}) as messages,
          (select count(*)::int from message_edits where realm_id = ${id}) as edits,
          (select count(*)::int from reactions where realm_id = ${id}) as reactions,
          (select count(*)::int from message_attachments where realm_id = ${id}) as files`;
      return row;
    };
    expect(await counts(home.realm.id)).toEqual(await counts(people.realm.id));
    expect(await strayReferences({ sql }, home.realm.id)).toEqual([]);
    const [unread] = await sql`
      select count(*)::int as count from messages m join conversation_members c
        on c.conversation_id = m.conversation_id and c.received @> m.ordinal and not c.read @> m.ordinal
      where m.realm_id = ${home.realm.id}`;
    expect(unread).toEqual({ count: 0 });
  });

  test('an organization that is exported and imported is what it was, to everyone in it', async () => {
    await using elsewhere = await startElsewhere();
    const imported = await importHere(elsewhere, archive);
    expect(imported).toMatchObject({ realmId: people.realm.id, isRenumbered: false });
    expect(imported.manifest.tables['messages']?.rows).toBeGreaterThan(100);
    for (const viewer of ['owner', 'alice', 'bob', 'guest', 'bot'] as const) {
      expect(await stateOf(people[viewer], elsewhere), viewer).toEqual(await stateOf(people[viewer]));
    }
    const { sql } = await getWorld();
    for (const { name, reset = {}, omitted = [], rows } of exportedTables) {
      const kept = [...Object.keys(reset), ...omitted, ...htmlColumns].reduce(
        (json, one) => `${json} - '${one}'`,
        'to_jsonb(t)',
      );
      const digest = `select count(*)::int as rows, md5(string_agg(md5((${kept})::text), '' order by (${kept})::text))
        as sum from ${name} t where ${rows(people.realm.id)}`;
      expect([name, await elsewhere.sql.unsafe(digest)]).toEqual([name, await sql.unsafe(digest)]);
    }
    const { port } = elsewhere;
    const sent = await people.alice.ask(
      'POST',
      '/messages',
      { type: 'private', to: [people.bob.id], content: 'here' },
      { port },
    );
    // Ids between are for what comes from the same source later.
    expect(sent.body.id).toBeGreaterThan((imported.manifest.tables['messages']?.greatest ?? 0) + 1_000_000);
  });

  test('is imported again beside itself, with other numbers', async () => {
    const { sql, store, engine } = await getWorld();
    const world = { sql, store, db: engine.db };
    const name = `${people.realm.name}-two`;
    const { realmId, isRenumbered, manifest } = await importHere(world, archive, name);
    expect(isRenumbered).toBe(true);
    expect(realmId).not.toBe(people.realm.id);
    for (const { name: table, rows } of exportedTables) {
      const [count] = await world.sql.unsafe(
        `select count(*)::int as rows from ${table} t where ${rows(realmId)}`,
      );
      expect([table, count?.['rows']]).toEqual([table, manifest.tables[table]?.rows ?? 0]);
    }
    const before = await stateOf(people.alice);
    const [row] = await world.sql<{ id: number }[]>`
      select two.id from users one join users two on two.realm_id = ${realmId} and two.email = one.email
      where one.id = ${people.alice.id}`;
    const there = await personIn(name, row?.id ?? 0);
    const after = await stateOf(there);
    const said = ({ messages }: Json) =>
      messages.map((one: Json) => [one.sender_full_name, one.subject, one.reactions.length]);
    expect(said(after)).toEqual(said(before));
    const channels = ({ state }: Json) => state.subscriptions.map((one: Json) => one.name).sort();
    expect(channels(after)).toEqual(channels(before));
    const unread = ({ state }: Json) => state.unread_msgs.count;
    expect(unread(after)).toEqual(unread(before));
    await succeed(there.post('/messages', { type: 'private', to: [there.id], content: 'at home' }));
    await expect(importHere(world, archive, name)).rejects.toThrow(
      `There is already an organization ${name}.`,
    );
  });

  test('is not imported from an archive that was changed, cut off, or is none', async () => {
    await using elsewhere = await startElsewhere();
    const content = await readFile(archive);
    const spoiled = async (name: string, bytes: Buffer) => {
      const file = join(folder, name);
      await writeFile(file, bytes);
      return importHere(elsewhere, file);
    };
    const middle = Math.floor(content.length / 2);
    const changed = Buffer.from(content);
    // The middle may be padding between two files, of which nothing depends.
    for (const at of content.subarray(middle, middle + tarBlock).keys()) {
      changed.writeUInt8(content.readUInt8(middle + at) ^ 255, middle + at);
    }
    await expect(spoiled('changed', changed)).rejects.toThrow(/^The archive is damaged/);
    await expect(spoiled('cut', content.subarray(0, middle))).rejects.toThrow(/^The archive is damaged/);
    await expect(spoiled('none', gzipSync('nothing'))).rejects.toThrow(
      /^The archive is damaged|not an archive/,
    );
    await expect(spoiled('text', Buffer.from('nothing'))).rejects.toThrow(
      /^The archive is damaged|not an archive/,
    );
    for (const { name } of exportedTables) {
      expect([name, await elsewhere.sql.unsafe(`select from ${name} limit 1`)]).toEqual([name, []]);
    }
  });

  test('is gone on with where an import has stopped, and nobody sees it before', async () => {
    await using elsewhere = await startElsewhere();
    const { sql, db, store, port } = elsewhere;
    const { site } = await getWorld();
    const died = new Error('The power is gone.');
    const dying = importArchive({
      sql,
      db,
      site,
      store,
      archive,
      now: new Date(),
      onProgress({ phase, files, of }) {
        if (phase === 'importing' && files > (of ?? 0) / 2) throw died;
      },
    });
    await expect(dying).rejects.toThrow(died);
    const [{ rows: before } = { rows: 0 }] = await sql<
      { rows: number }[]
    >`select count(*)::int as rows from users`;
    expect(before).toBeGreaterThan(5);
    const refused = await people.alice.ask('GET', '/users/me', {}, { port });
    expect(refused.body.code).toBe('NONEXISTENT_SUBDOMAIN');
    await importHere(elsewhere, archive);
    expect(await stateOf(people.bob, elsewhere)).toEqual(await stateOf(people.bob));
  });
});

test('an export goes on where a worker died, and one that wakes up later changes nothing', async () => {
  const people = await realm();
  const { alice } = people;
  await subscribe(alice, 'news');
  for (let number = 0; number < 60; number += 1) await say(alice, 'news', 't', `message ${number}`);
  const id = await requestEverything(people.realm);
  const { store } = await getWorld();
  const messagesPerExportPart = 10;
  let stored = 0;
  let wake = () => {};
  const woken = new Promise<void>((resolve) => (wake = resolve));
  let isHanging = () => {};
  const hanging = new Promise<void>((resolve) => (isHanging = resolve));
  const hangs: typeof store = {
    ...store,
    async put(...what) {
      stored += 1;
      if (stored === 3) {
        isHanging();
        await woken;
      }
      await store.put(...what);
    },
  };
  const hung = runOnDemand('export-realm', id, { messagesPerExportPart, store: hangs });
  await hanging;
  const half = await exportRow(id);
  expect([half.messages > 0, half.status]).toEqual([true, 'started']);
  expect(await runOnDemand('export-realm', id, { messagesPerExportPart })).toEqual({});
  const later = { clock: { nowMs: () => Date.now() + 61_000 } };
  const { parts } = (await runOnDemand('export-realm', id, { messagesPerExportPart, ...later })) as {
    parts: number;
  };
  wake();
  expect(await hung).toEqual({ lost: true });
  const row = await exportRow(id);
  expect(row).toMatchObject({ status: 'succeeded', lease: 2 });
  const archive = join(folder, 'resumed.tar.gz');
  await saveArchive(id, archive);
  await using elsewhere = await startElsewhere();
  const { manifest } = await importHere(elsewhere, archive);
  expect(manifest.parts).toHaveLength(parts + 2 - 1);
  expect(await stateOf(alice, elsewhere)).toEqual(await stateOf(alice));
});

test('messages that change while an export is made are in it as they were in the end', async () => {
  const people = await realm();
  const { owner, alice, bob } = people;
  await subscribe(alice, 'news');
  await subscribe(bob, 'news');
  const ids: number[] = [];
  for (let number = 0; number < 40; number += 1) ids.push(await say(alice, 'news', 't', `message ${number}`));
  const id = await requestEverything(people.realm);
  const { store } = await getWorld();
  let stored = 0;
  const changing: typeof store = {
    ...store,
    async put(...what) {
      stored += 1;
      if (stored === 2) {
        await succeed(alice.patch(`/messages/${ids[0]}`, { content: 'changed' }));
        await succeed(alice.patch(`/messages/${ids[1]}`, { topic: 'elsewhere' }));
        await succeed(owner.delete(`/messages/${ids[2]}`));
        ids.push(await say(bob, 'news', 't', 'late'));
      }
      await store.put(...what);
    },
  };
  await runOnDemand('export-realm', id, { messagesPerExportPart: 10, store: changing });
  const archive = join(folder, 'changing.tar.gz');
  await saveArchive(id, archive);
  await using elsewhere = await startElsewhere();
  await importHere(elsewhere, archive);
  expect(await stateOf(alice, elsewhere)).toEqual(await stateOf(alice));
});

test('an export for administrators has what is public, and of private things those of who consents', async () => {
  const people = await realm();
  const { owner, alice, bob, carol } = people;
  const dora = await people.join({ name: 'Dora', password: 'a password that is long enough' });
  await subscribe(alice, 'hall', [alice, bob]);
  await subscribe(alice, 'hers', [alice, carol], { invite_only: true });
  await subscribe(bob, 'his', [bob, dora], { invite_only: true });
  await say(bob, 'hall', 't', 'public-words');
  await say(alice, 'hers', 'her-topic', 'her-words');
  await say(bob, 'his', 'his-topic', 'his-words');
  await tell(bob, [alice], 'told-alice');
  await tell(bob, [carol], 'told-carol');
  const draft = (content: string) => ({ drafts: [{ type: '', to: [], topic: '', content }] });
  await succeed(alice.post('/drafts', draft('her-draft')));
  await succeed(bob.post('/drafts', draft('his-draft')));
  await upload(alice, { name: 'hers.txt', content: 'her-file' });
  await upload(bob, { name: 'his.txt', content: 'his-file' });
  await succeed(alice.patch('/settings', { allow_private_data_export: true }));
  await succeed(carol.patch('/settings', { email_address_visibility: 4 }));

  const exported = async (export_type: number) => {
    const { id } = await succeed(owner.post('/export/realm', { export_type }));
    await runOnDemand('export-realm', id);
    const archive = join(folder, `type-${export_type}.tar.gz`);
    await saveArchive(id, archive);
    return { archive, text: gunzipSync(await readFile(archive)).toString() };
  };
  const words = [
    'public-words',
    'her-words',
    'her-topic',
    'told-alice',
    'her-draft',
    'her-file',
    'his-words',
    'his-topic',
    'told-carol',
    'his-draft',
    'his-file',
    carol.email,
    '$argon2',
  ];
  const shown = (text: string) => words.filter((word) => text.includes(word));
  expect(shown((await exported(1)).text)).toEqual(['public-words']);
  const standard = await exported(2);
  expect(shown(standard.text)).toEqual(words.slice(0, 6));
  const everything = await exportEverything(people, inFolder('everything'));
  expect(shown(gunzipSync(await readFile(everything)).toString())).toEqual(words);

  await using elsewhere = await startElsewhere();
  await importHere(elsewhere, standard.archive);
  const { messages } = await stateOf(alice, elsewhere);
  expect(messages).toEqual((await stateOf(alice)).messages);
  const ofBob = (await stateOf(bob, elsewhere)).messages.map((one: Json) => one.content);
  expect(ofBob).toEqual(['<p>public-words</p>', '<p>told-alice</p>']);
});

import { describe, expect, test } from 'vitest';

import {
  type Json,
  failExport,
  foldersToSweep,
  getWorld,
  makeExport,
  outcomeOf,
  picture,
  realm,
  runRecurring,
  say,
  subscribe,
  succeed,
  workOnExport,
} from '../support/index.ts';

const path = (url: string) => new URL(url).pathname;

describe('an export of the organization', () => {
  test('is asked for, made, downloaded and deleted, and administrators hear of each step', async () => {
    const { owner, admin, alice } = await realm();
    const [desk, phone] = [await admin.listen({ event_types: ['realm_export'] }), await alice.listen()];
    const { id } = await succeed(owner.post('/export/realm', { export_type: 2 }));
    const pending = {
      id,
      acting_user_id: owner.id,
      export_time: expect.any(Number),
      export_url: null,
      pending: true,
      failed_timestamp: null,
      deleted_timestamp: null,
      export_type: 2,
    };
    expect((await succeed(admin.get('/export/realm'))).exports).toEqual([pending]);
    expect(outcomeOf(await admin.delete(`/export/realm/${id}`))).toBe('This export is not finished yet.');

    const inbox = await owner.listen({ event_types: ['message'] });
    await workOnExport(owner, id);
    const [made] = (await succeed(admin.get('/export/realm'))).exports;
    expect(made).toEqual({ ...pending, pending: false, export_url: expect.stringMatching(/^http/) });
    expect(made.export_url).toContain(owner.realm.url);
    const [told] = await inbox.hears();
    const { message } = told as Json;
    expect(message).toMatchObject({ sender_full_name: 'Notification Bot', type: 'private' });
    expect(message.content).toContain(made.export_url);

    const whole = await alice.fetch(path(made.export_url), {}, { authorization: null });
    expect([whole.status, whole.text]).toEqual([200, 'an archive']);
    expect(whole.headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': '10',
      'cache-control': 'private, no-store',
      'content-disposition': expect.stringContaining(`export-${id}.tar.gz`),
    });
    const rest = await alice.fetch(path(made.export_url), { Range: 'bytes=3-' });
    expect([rest.status, rest.text]).toEqual([206, 'archive']);

    await succeed(admin.delete(`/export/realm/${id}`));
    const [deleted] = (await succeed(owner.get('/export/realm'))).exports;
    expect(deleted).toEqual({ ...pending, pending: false, deleted_timestamp: expect.any(Number) });
    expect((await alice.fetch(path(made.export_url))).status).toBe(404);
    expect(outcomeOf(await admin.delete(`/export/realm/${id}`))).toBe(
      'This export has already been deleted.',
    );

    const heard = (await desk.hears()).map(({ exports }) => exports);
    expect(heard).toEqual([[pending], [pending], [made], [deleted]]);
    expect((await phone.hears()).filter(({ type }) => type === 'realm_export')).toEqual([]);
  });

  test('has an address that others cannot find, nor use elsewhere', async () => {
    const { owner, alice } = await realm();
    const other = await realm();
    await makeExport(owner);
    const [{ export_url }] = (await succeed(owner.get('/export/realm'))).exports;
    const [, , , random] = path(export_url).split('/');
    expect(random?.length).toBeGreaterThanOrEqual(20);
    const guessed = path(export_url).replace(random ?? '', 'A'.repeat(24));
    expect((await alice.fetch(guessed)).status).toBe(404);
    expect((await other.owner.fetch(path(export_url))).status).toBe(404);
    expect(outcomeOf(await other.owner.delete('/export/realm/1'))).toBe('This export does not exist.');
  });

  test('is kept for a week', async () => {
    const { owner } = await realm();
    const id = await makeExport(owner);
    const inDays = (days: number) => ({ clock: { nowMs: () => Date.now() + days * 86_400_000 } });
    const deleted = async () =>
      (await succeed(owner.get('/export/realm'))).exports.map((one: Json) => one.deleted_timestamp !== null);
    await runRecurring('sweep-exports', inDays(6.9));
    expect(await deleted()).toEqual([false]);
    await runRecurring('sweep-exports', inDays(7.1));
    await runRecurring('sweep-exports', inDays(7.1));
    expect(await deleted()).toEqual([true]);
    expect(await foldersToSweep(`exports/${owner.realm.id}`)).toHaveLength(1);
    expect(outcomeOf(await owner.delete(`/export/realm/${id}`))).toBe(
      'This export has already been deleted.',
    );
  });

  test('an export that no worker has is enqueued again', async () => {
    const { owner } = await realm();
    const { id } = await succeed(owner.post('/export/realm'));
    const enqueued: object[] = [];
    const queues = { enqueue: (job: object) => void enqueued.push(job) };
    await runRecurring('sweep-exports', { queues });
    expect(enqueued).toContainEqual({ name: 'export-realm', id, realmId: owner.realm.id });
  });

  test('an export that fails says so, and there is nothing to delete', async () => {
    const { owner } = await realm();
    const { id } = await succeed(owner.post('/export/realm'));
    await failExport(owner, id);
    const [failed] = (await succeed(owner.get('/export/realm'))).exports;
    const ended = { export_type: 1, pending: false, export_url: null };
    expect(failed).toMatchObject({ ...ended, failed_timestamp: expect.any(Number) });
    expect(outcomeOf(await owner.delete(`/export/realm/${id}`))).toBe(
      'This export failed, so there is nothing to delete.',
    );
  });

  test('an export of another type, of an organization that is too large, or asked for too often is refused', async () => {
    const { owner, alice } = await realm();
    expect(outcomeOf(await owner.post('/export/realm', { export_type: 3 }))).toContain('export_type');
    const { startApi } = await getWorld();
    const ask = (port: number) => owner.ask('POST', '/export/realm', {}, { port }).then(({ body }) => body);
    const limited = async (limits: object) =>
      await startApi({ exportLimits: { perWeek: null, messages: null, bytes: null, ...limits } });

    await subscribe(alice, 'news');
    for (const text of ['one', 'two', 'three']) await say(alice, 'news', 't', text);
    await alice.upload('/user_uploads', [{ name: 'a.png', content: picture, type: 'image/png' }]);
    const tooLarge = /too large to export/;
    await using byMessages = await limited({ messages: 2 });
    expect(outcomeOf(await ask(byMessages.port))).toMatch(tooLarge);
    await using byBytes = await limited({ bytes: picture.length - 1 });
    expect(outcomeOf(await ask(byBytes.port))).toMatch(tooLarge);
    await using enough = await limited({ messages: 3, bytes: picture.length, perWeek: 2 });
    await succeed(ask(enough.port));
    await succeed(ask(enough.port));
    expect(outcomeOf(await ask(enough.port))).toBe(
      'Your organization has started too many exports. Try again later.',
    );
  });
});

describe('the consent to exports', () => {
  test('is each member’s own, and administrators hear of it', async () => {
    const { owner, admin, alice, bob, bot } = await realm();
    const desk = await admin.listen({ event_types: ['realm_export_consent'] });
    const phone = await bob.listen();
    const consent = (allow_private_data_export: boolean) =>
      succeed(alice.patch('/settings', { allow_private_data_export }));
    await consent(true);
    await consent(true);
    const consents = async () => (await succeed(owner.get('/export/realm/consents'))).export_consents;
    const of = (id: number, all: { user_id: number }[]) => all.find(({ user_id }) => user_id === id);
    expect(of(alice.id, await consents())).toEqual({
      user_id: alice.id,
      consented: true,
      email_address_visibility: 1,
    });
    expect(of(bob.id, await consents())).toMatchObject({ consented: false });
    expect(of(bot.id, await consents())).toBeUndefined();
    await succeed(owner.delete(`/users/${alice.id}`));
    expect(of(alice.id, await consents())).toBeUndefined();
    await succeed(owner.post(`/users/${alice.id}/reactivate`));
    await consent(false);
    const heard = (await desk.hears()).map(({ user_id, consented }) => [user_id, consented]);
    expect(heard).toEqual([
      [alice.id, true],
      [alice.id, true],
      [alice.id, false],
    ]);
    expect((await phone.hears()).filter(({ type }) => type === 'realm_export_consent')).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';

import {
  addUnfinishedFolder,
  foldersToSweep,
  getWorld,
  inSeconds,
  linkTo,
  realm,
  releaseUploads,
  runRecurring,
  succeed,
  tell,
  upload,
} from '../support/index.ts';

const weekMs = 7 * 86_400_000;

/** Runs a job as it would run some time from now. */
const run = (name: string, afterMs = 0) =>
  runRecurring(name, { clock: { nowMs: () => Date.now() + afterMs } });

const keyOf = (url: string) =>
  `${url.replace('/user_uploads/', 'uploads/').replace(/\/[^/]+$/, '')}/original`;
const isStored = async (url: string) => {
  const file = await (await getWorld()).store.open(keyOf(url));
  file?.body.destroy();
  return file !== undefined;
};

describe('uploads that no message refers to', () => {
  test('go after five weeks, and their owner hears of it', async () => {
    const { alice, bob } = await realm();
    const [linked, unlinked] = [await upload(alice), await upload(alice)];
    await tell(alice, [bob], linkTo(linked));
    const phone = await alice.listen();

    await run('expire-uploads', 4.9 * weekMs);
    expect(await phone.hears()).toEqual([]);
    expect((await alice.fetch(unlinked)).status).toBe(200);

    await run('expire-uploads', 5.1 * weekMs);
    expect(await phone.hears()).toMatchObject([{ type: 'attachment', op: 'remove', upload_space_used: 10 }]);
    expect((await alice.fetch(unlinked)).status).toBe(404);
    expect((await alice.fetch(linked)).status).toBe(200);
    expect(await run('expire-uploads', 5.1 * weekMs)).toEqual({ expired: 0 });

    await run('sweep-files');
    expect([await isStored(linked), await isStored(unlinked)]).toEqual([true, false]);
    expect((await alice.fetch(linked)).text).toBe('some notes');
  });

  test('stay while their owner keeps them in a draft, a reminder or a snippet', async () => {
    const { alice, bob } = await realm();
    const message_id = await tell(alice, [bob], 'later');
    const keep = {
      draft: (url: string) =>
        alice.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: linkTo(url) }] }),
      reminder: (url: string) =>
        alice.post('/reminders', {
          message_id,
          scheduled_delivery_timestamp: inSeconds(3600),
          note: linkTo(url),
        }),
      snippet: (url: string) => alice.post('/saved_snippets', { title: 'x', content: linkTo(url) }),
    };
    for (const [name, act] of Object.entries(keep)) {
      const [kept, other] = [await upload(alice), await upload(alice)];
      await succeed(act(kept));
      const edited = await tell(alice, [bob], `${linkTo(kept)} ${linkTo(other)}`);
      const { detached_uploads } = await succeed(alice.patch(`/messages/${edited}`, { content: 'none' }));
      const paths = detached_uploads.map(({ path_id }: { path_id: string }) => `/user_uploads/${path_id}`);
      expect(paths, name).toEqual([other]);
      await run('expire-uploads', 6 * weekMs);
      expect([(await alice.fetch(kept)).status, (await alice.fetch(other)).status], name).toEqual([200, 404]);
    }
  });

  test('are not offered for deletion while a scheduled message links to them', async () => {
    const { alice, bob } = await realm();
    const url = await upload(alice);
    await succeed(
      alice.post('/scheduled_messages', {
        type: 'direct',
        to: [bob.id],
        content: linkTo(url),
        scheduled_delivery_timestamp: inSeconds(3600),
      }),
    );
    const id = await tell(alice, [bob], linkTo(url));
    const edited = await succeed(alice.patch(`/messages/${id}`, { content: 'none' }));
    expect(edited.detached_uploads).toEqual([]);
  });

  test('have five weeks from the last message that did', async () => {
    const { alice, bob, realm: home } = await realm();
    const url = await upload(alice);
    await tell(alice, [bob], linkTo(url));
    await releaseUploads(home.id, 1);
    await run('expire-uploads', 3.9 * weekMs);
    expect((await alice.fetch(url)).status).toBe(200);
    await run('expire-uploads', 4.1 * weekMs);
    expect((await alice.fetch(url)).status).toBe(404);
  });

  test('stay when a message comes to refer to them at that very moment', async () => {
    const { alice, bob } = await realm();
    for (let round = 0; round < 5; round += 1) {
      const url = await upload(alice);
      const [sent] = await Promise.all([
        alice.post('/messages', { type: 'direct', to: [bob.id], content: linkTo(url) }),
        run('expire-uploads', 6 * weekMs),
        run('expire-uploads', 6 * weekMs),
      ]);
      expect(sent.result).toBe('success');
      const { attachments } = await alice.get('/attachments');
      const tied = attachments.filter((one: { path_id: string }) => url.endsWith(one.path_id));
      // Either the message has its file, or the file was gone before it.
      expect((await bob.fetch(url)).status).toBe(tied.length === 1 ? 200 : 404);
    }
  });
});

describe('the sweep of files', () => {
  test('removes what was deleted, thumbnails too, as often as it runs', async () => {
    const { alice } = await realm();
    const { store } = await getWorld();
    const url = await upload(alice);
    await store.put(keyOf(url).replace('original', '840x560.webp'), Buffer.from('x'), 'image/webp');
    const [{ id }] = (await alice.get('/attachments')).attachments;
    await alice.delete(`/attachments/${id}`);
    await run('sweep-files');
    await run('sweep-files');
    expect(await isStored(url)).toBe(false);
    expect(await store.open(keyOf(url).replace('original', '840x560.webp'))).toBeUndefined();
  });

  test('leaves what is being stored for a day, and what is stored for ever', async () => {
    const { alice } = await realm();
    const world = await getWorld();
    const unfinished = `uploads/${alice.realm.id}/unfinished`;
    await world.store.put(`${unfinished}/original`, Buffer.from('half'), 'text/plain');
    await addUnfinishedFolder(unfinished);
    const url = await upload(alice);
    await run('sweep-files', 86_000_000);
    const file = await world.store.open(`${unfinished}/original`);
    file?.body.destroy();
    expect(file).toBeDefined();
    await run('sweep-files', 87_000_000);
    expect(await world.store.open(`${unfinished}/original`)).toBeUndefined();
    expect(await isStored(url)).toBe(true);
  });

  test('forgets a folder only when its bytes are gone', async () => {
    const { alice, realm: home } = await realm();
    const world = await getWorld();
    const url = await upload(alice);
    const [{ id }] = (await alice.get('/attachments')).attachments;
    await alice.delete(`/attachments/${id}`);
    const store = { ...world.store, remove: () => Promise.reject(new Error('the store is away')) };
    await expect(runRecurring('sweep-files', { store })).rejects.toThrow('is away');
    expect(await foldersToSweep(`uploads/${home.id}`)).toHaveLength(1);
    await run('sweep-files');
    expect(await isStored(url)).toBe(false);
  });
});

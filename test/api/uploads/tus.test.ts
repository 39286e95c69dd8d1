import { describe, expect, test, vi } from 'vitest';

import {
  type Person,
  basic,
  call,
  getWorld,
  picture,
  realm,
  refused,
  runRecurring,
  setUploadQuota,
  startCuttingProxy,
} from '../../support/index.ts';
import { addressIn, beginUpload, optionsOf, refusalOf, someBytes, upload } from './tus-client.ts';

const mebibyte = 1024 * 1024;

/** A request by hand, for what the client library does not do. */
async function ask(
  by: Person,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
) {
  const { ports } = await getWorld();
  return await call({
    port: ports.api,
    method,
    path,
    headers: {
      Host: by.realm.host,
      Authorization: basic(by.email, by.apiKey),
      'Tus-Resumable': '1.0.0',
      ...headers,
    },
    ...(body !== '' && { body }),
  });
}

const patch = (by: Person, path: string, offset: number, body: string) =>
  ask(
    by,
    'PATCH',
    path,
    { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
    body,
  );

const announce = (by: Person, bytes: number, headers: Record<string, string> = {}) =>
  ask(by, 'POST', '/api/v1/tus', { 'Upload-Length': String(bytes), ...headers });

describe('an upload that can be resumed', () => {
  test('becomes an upload like any other', async () => {
    const { alice, bob } = await realm();
    const phone = await alice.listen();
    const content = someBytes(9);
    const { body } = await upload(alice, content, { chunkSize: 2 * mebibyte });
    expect(body).toEqual({
      result: 'success',
      msg: '',
      url: expect.stringMatching(/^\/user_uploads\/\d+\/[\w-]+\/täa-pot\.bin$/),
      filename: 'täa pot.bin',
    });
    const file = await alice.fetch(encodeURI(body.url));
    expect(file.bytes.equals(content)).toBe(true);
    expect((await bob.fetch(encodeURI(body.url))).status).toBe(403);
    expect(await phone.hears()).toMatchObject([
      { type: 'attachment', op: 'add', attachment: { name: 'täa pot.bin', size: content.length } },
    ]);
    expect((await alice.get('/attachments')).attachments).toHaveLength(1);
    await alice.post('/messages', { type: 'direct', to: [bob.id], content: `[pot](${body.url})` });
    expect((await bob.fetch(encodeURI(body.url))).status).toBe(200);
  });

  test('is read like any other: pictures, names, nothing at all', async () => {
    const { alice } = await realm();
    const named = (filename: string, filetype = '') => ({ metadata: { filename, filetype } });
    const { body: shown } = await upload(alice, picture, named('a.png', 'text/html'));
    expect((await alice.fetch(shown.url)).headers['content-type']).toBe('image/png');
    const { body: empty } = await upload(alice, Buffer.alloc(0), named('../\0empty.txt'));
    expect(empty).toMatchObject({ filename: '../empty.txt' });
    expect((await alice.fetch(empty.url)).bytes).toHaveLength(0);
    const { body: whole } = await upload(alice, Buffer.from('abc'), {
      uploadDataDuringCreation: true,
      metadata: {},
    });
    expect(whole).toMatchObject({ filename: 'file' });
    expect((await alice.fetch(whole.url)).text).toBe('abc');
  });

  test('goes on by itself after the connection broke, and broke again', async () => {
    const { alice } = await realm();
    const { ports } = await getWorld();
    await using proxy = await startCuttingProxy(ports.api, [6 * mebibyte, 3 * mebibyte]);
    const content = someBytes(12);
    const retryDelays = Array.from({ length: 20 }, () => 0);
    const { body } = await upload(alice, content, { port: proxy.port, retryDelays });
    expect((await alice.fetch(encodeURI(body.url))).bytes.equals(content)).toBe(true);
    expect(proxy.cuts()).toBe(2);
  });

  test('keeps what arrived before the connection broke', async () => {
    const { alice } = await realm();
    const { ports } = await getWorld();
    await using proxy = await startCuttingProxy(ports.api, [6 * mebibyte]);
    const content = someBytes(8);
    let address = '';
    const broken = upload(alice, content, {
      port: proxy.port,
      onAfterResponse: (_, response) => {
        const location = response.getHeader('Location');
        if (location !== undefined) address ||= new URL(location).pathname;
      },
    });
    await expect(broken).rejects.toThrow('failed to upload chunk');
    await vi.waitUntil(
      async () => Number((await ask(alice, 'HEAD', address)).headers['upload-offset']) > 5 * mebibyte,
      { timeout: 60_000 },
    );
    const sent: (string | undefined)[] = [];
    const { body } = await upload(alice, content, {
      uploadUrl: `http://127.0.0.1:${ports.api}${address}`,
      onBeforeRequest: (request) => void sent.push(request.getHeader('Upload-Offset')),
    });
    expect(Number(sent[1])).toBeGreaterThan(5 * mebibyte);
    expect((await alice.fetch(encodeURI(body.url))).bytes.equals(content)).toBe(true);
  });

  test('goes on at another node, and after a node was started anew', async () => {
    const { alice } = await realm();
    const content = someBytes(6);
    const address = await beginUpload(alice, content, 2 * mebibyte);
    const { startApi } = await getWorld();
    await using node = await startApi();
    const sent: (string | undefined)[] = [];
    const { body } = await upload(alice, content, {
      port: node.port,
      uploadUrl: `http://127.0.0.1:${node.port}${address}`,
      onBeforeRequest: (request) => void sent.push(request.getHeader('Upload-Offset')),
    });
    expect(sent).toEqual([undefined, String(2 * mebibyte)]);
    expect((await alice.fetch(encodeURI(body.url))).bytes.equals(content)).toBe(true);
  });

  test('tells its address again to who has not heard it', async () => {
    const { alice } = await realm();
    const { headers } = await announce(alice, 3);
    expect(String(headers['location']).startsWith(`${alice.realm.url}/api/v1/tus/`)).toBe(true);
    const address = addressIn(headers);
    const first = await patch(alice, address, 0, 'abc');
    expect([first.status, first.headers['upload-offset']]).toEqual([200, '3']);
    const head = await ask(alice, 'HEAD', address);
    expect([head.status, head.headers['upload-offset'], head.headers['upload-length']]).toEqual([
      200,
      '3',
      '3',
    ]);
    expect((await patch(alice, address, 3, '')).body).toEqual(first.body);
    expect((await alice.get('/attachments')).attachments).toHaveLength(1);
  });

  test('takes each piece once, whoever sends it twice', async () => {
    const { alice } = await realm();
    const address = addressIn((await announce(alice, 6)).headers);
    const replies = await Promise.all(Array.from({ length: 4 }, () => patch(alice, address, 0, 'abc')));
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 409, 409, 409]);
    const last = await Promise.all(Array.from({ length: 4 }, () => patch(alice, address, 3, 'def')));
    const done = last.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    expect((await alice.fetch(done[0]?.body.url)).text).toBe('abcdef');
    expect((await alice.get('/attachments')).attachments).toHaveLength(1);
  });

  test('is its owner’s alone, who may give it up', async () => {
    const { alice, bob } = await realm();
    const { owner: stranger } = await realm();
    const address = addressIn((await announce(alice, 6)).headers);
    for (const by of [bob, stranger]) {
      for (const reply of [
        await patch(by, address, 0, 'abc'),
        await ask(by, 'DELETE', address),
        await ask(by, 'PATCH', `${address}x`, { 'Upload-Offset': '0' }),
      ]) {
        expect(reply.status).toBeGreaterThanOrEqual(403);
      }
      expect((await ask(by, 'HEAD', address)).status).toBe(404);
    }
    expect((await ask(alice, 'DELETE', address)).status).toBe(204);
    expect((await ask(alice, 'HEAD', address)).status).toBe(404);
    expect((await ask(alice, 'DELETE', address)).body).toMatchObject({ result: 'error', code: 'NOT_FOUND' });
  });

  test('is bounded by the quotas from its announcement on', async () => {
    const { alice, bob } = await realm();
    await setUploadQuota(alice.realm.id, 3);
    const quota = (await announce(alice, 4 * mebibyte)).body;
    expect(quota).toEqual(
      refused(
        "This file is too large for what is left of your organization's upload quota.",
        'REALM_UPLOAD_QUOTA',
      ),
    );
    const { headers } = await announce(alice, 2 * mebibyte);
    expect((await announce(bob, 2 * mebibyte)).body).toMatchObject({ code: 'REALM_UPLOAD_QUOTA' });
    await ask(alice, 'DELETE', addressIn(headers));
    expect((await announce(bob, 2 * mebibyte)).status).toBe(201);
  });

  test('is bounded in size and in number', async () => {
    const { alice } = await realm();
    const large = await announce(alice, 100 * mebibyte + 1);
    expect([large.status, large.body]).toEqual([413, refused('A file can have at most 100 MiB.')]);
    const address = addressIn((await announce(alice, 2)).headers);
    expect((await patch(alice, address, 0, 'abc')).status).toBe(413);
    const announced = [];
    for (let count = 0; count < 50; count += 1) announced.push((await announce(alice, 1)).status);
    expect(announced.filter((status) => status === 201)).toHaveLength(49);
    expect((await announce(alice, 1)).body).toEqual(
      refused('You can have at most 50 unfinished uploads. Finish or cancel some first.'),
    );
    const metadata = `filename ${Buffer.from('x'.repeat(4000)).toString('base64')}`;
    expect((await announce(alice, 1, { 'Upload-Metadata': metadata })).body).toEqual(
      refused('Upload-Metadata can have at most 4000 characters.'),
    );
  });

  test('ends a day after it began, with all that has arrived', async () => {
    const { alice } = await realm();
    const { store, startApi, sql } = await getWorld();
    const content = someBytes(6);
    const address = await beginUpload(alice, content, 5 * mebibyte);
    const id = address.split('/').at(-1) ?? '';
    const [piece] = await sql`select name from partial_upload_pieces where upload_id = ${id} order by start`;
    const key = `partial/${alice.realm.id}/${id}/${piece?.['name']}`;
    (await store.open(key))?.body.destroy();
    const tomorrow = { nowMs: () => Date.now() + 86_400_000 + 1000 };
    await using node = await startApi({ clock: tomorrow });
    const late = await refusalOf(
      upload(alice, content, {
        port: node.port,
        endpoint: null,
        uploadUrl: `http://127.0.0.1:${node.port}${address}`,
      }),
    );
    expect(late[0]).toBe(410);
    await runRecurring('sweep-partial-uploads', { clock: tomorrow });
    expect((await ask(alice, 'HEAD', address)).status).toBe(404);
    const later = { nowMs: () => Date.now() + 2 * 86_400_000 };
    await runRecurring('sweep-files', { clock: later });
    expect(await store.open(key)).toBeUndefined();
  });

  test('needs credentials, and answers what is no upload', async () => {
    const { alice, owner } = await realm();
    const { ports } = await getWorld();
    const anonymous = optionsOf(alice, ports.api);
    const headers = { Host: alice.realm.host };
    expect(await refusalOf(upload(alice, someBytes(1), { ...anonymous, headers }))).toMatchObject([
      401,
      { code: 'UNAUTHENTICATED_USER' },
    ]);
    const { user_id, api_key } = await owner.post('/bots', { full_name: 'H', short_name: 'h', bot_type: 2 });
    const hook = { ...headers, Authorization: basic(`h-bot@${alice.realm.emailDomain}`, api_key) };
    expect(user_id).toEqual(expect.any(Number));
    expect(await refusalOf(upload(alice, someBytes(1), { ...anonymous, headers: hook }))).toMatchObject([
      401,
      { code: 'UNAUTHORIZED' },
    ]);
    const options = await ask(alice, 'OPTIONS', '/api/v1/tus');
    expect([options.status, options.headers['tus-max-size']]).toEqual([204, String(100 * mebibyte)]);
    for (const reply of [
      await ask(alice, 'POST', '/api/v1/tus'),
      await announce(alice, 1, { 'Tus-Resumable': '0.1' }),
      await announce(alice, -1),
      await announce(alice, 1, { 'Upload-Metadata': 'filename &&&' }),
      await announce(alice, 1, { 'Upload-Defer-Length': '1' }),
      await ask(alice, 'GET', '/api/v1/tus'),
      await ask(alice, 'PUT', '/api/v1/tus/x'),
      await ask(alice, 'PATCH', '/api/v1/tus/%00', { 'Upload-Offset': '0' }),
      await patch(alice, '/api/v1/tus/%00', 0, 'abc'),
      await patch(alice, '/api/v1/tus/%2e%2e%2f', 0, 'abc'),
    ]) {
      expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
      expect(reply.status, reply.text).toBeLessThan(502);
      expect(reply.body, reply.text).toMatchObject({
        result: 'error',
        code: expect.any(String),
        msg: expect.stringMatching(/./),
      });
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

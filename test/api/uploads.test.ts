import { describe, expect, test } from 'vitest';

import {
  type Person,
  type SentFile,
  type TestRealm,
  basic,
  call,
  encodeMultipart,
  getWorld,
  multipartType,
  realm,
} from '../support/index.ts';

const text = (content: string, name = 'notes.txt'): SentFile => ({ name, content, type: 'text/plain' });
const upload = async (by: Person, file = text('some notes')): Promise<string> =>
  (await by.upload('/user_uploads', [file])).body.url;
const channel = (by: Person, name: string, people: Person[], more: object = {}) =>
  by.post('/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: people.map(({ id }) => id),
    ...more,
  });
const say = (by: Person, to: string, content: string) =>
  by.post('/messages', { type: 'channel', to, topic: 't', content });
const tell = (by: Person, to: Person, content: string) =>
  by.post('/messages', { type: 'direct', to: [to.id], content });
const statusFor = async (person: Person, url: string) => (await person.fetch(url)).status;

describe('POST /user_uploads', () => {
  test('keeps the file, and tells the uploader’s clients alone', async () => {
    const { alice, bob, realm: home } = await realm();
    const [phone, stranger] = [await alice.listen(), await bob.listen()];

    const { body } = await alice.upload('/user_uploads', [text('ten bytes!', 'my notes.txt')]);

    expect(body).toEqual({
      result: 'success',
      msg: '',
      url: expect.stringMatching(new RegExp(`^/user_uploads/${home.id}/[\\w-]{24}/my-notes\\.txt$`)),
      uri: body.url,
      filename: 'my notes.txt',
    });
    expect((await alice.fetch(body.url)).text).toBe('ten bytes!');
    const path_id = body.url.replace('/user_uploads/', '');
    const attachment = {
      id: expect.any(Number),
      name: 'my notes.txt',
      path_id,
      size: 10,
      create_time: expect.any(Number),
      messages: [],
    };
    expect(await phone.hears()).toMatchObject([
      { type: 'attachment', op: 'add', attachment, upload_space_used: 10 },
    ]);
    expect(await stranger.hears()).toEqual([]);
    expect(await alice.get('/attachments')).toMatchObject({
      attachments: [attachment],
      upload_space_used: 10,
    });
    expect(Math.abs((await alice.get('/attachments')).attachments[0].create_time - Date.now())).toBeLessThan(
      60_000,
    );
  });

  test.each<[string, SentFile[], string]>([
    ['no file', [], 'You must specify a file to upload'],
    ['two files', [text('a'), text('b')], 'You may only upload one file at a time'],
    ['three files', [text('a'), text('b'), text('c')], 'You may only upload one file at a time'],
  ])('refuses %s', async (_, files, msg) => {
    const { alice } = await realm();
    const { body } = await alice.upload('/user_uploads', files);
    expect(body).toEqual({ result: 'error', msg, code: 'BAD_REQUEST' });
    expect((await alice.get('/attachments')).attachments).toEqual([]);
  });

  test('refuses a form without a file part, and one that ends in the middle', async () => {
    const { alice, realm: home } = await realm();
    const { ports } = await getWorld();
    expect(await alice.post('/user_uploads', { file: 'x' })).toMatchObject({
      msg: 'You must specify a file to upload',
    });
    const headers = { Host: home.host, Authorization: basic(alice.email, alice.apiKey) };
    const send = (contentType: string, body: string) =>
      call({
        port: ports.api,
        method: 'POST',
        path: '/api/v1/user_uploads',
        headers: { ...headers, 'Content-Type': contentType },
        body,
      });
    const boundary = /boundary=(.*)/.exec(multipartType)?.[1] ?? '';
    const half = `--${boundary}\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nhalf`;
    for (const [contentType, body] of [
      [multipartType, half],
      [multipartType, `--${boundary}`],
      [multipartType, ''],
      ['multipart/form-data', half],
      ['multipart/form-data; boundary=', half],
    ] as const) {
      const reply = await send(contentType, body);
      expect([reply.status, reply.body.code], `${contentType} ${body}`).toEqual([400, 'BAD_REQUEST']);
    }
    expect((await alice.get('/attachments')).attachments).toEqual([]);
  });

  test('takes 100 MiB and not a byte more, and holds neither in memory', async () => {
    const { alice } = await realm();
    const { ports } = await getWorld();
    const most = Buffer.alloc(100 * 1024 * 1024, 'x');
    const body = encodeMultipart([{ name: 'large.bin', content: most }]);
    const headers = {
      Host: alice.realm.host,
      Authorization: basic(alice.email, alice.apiKey),
      'Content-Type': multipartType,
    };
    // The request is in this process, too, and made by now.
    const before = process.memoryUsage().arrayBuffers;
    let highest = 0;
    const watch = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().arrayBuffers - before);
    }, 20);
    const request = { port: ports.api, method: 'POST', path: '/api/v1/user_uploads', headers, body };
    const reply = await call(request).finally(() => clearInterval(watch));
    expect(reply.body).toMatchObject({ result: 'success' });
    expect(highest).toBeLessThan(most.length * 0.9);

    const more = { name: 'larger.bin', content: Buffer.concat([most, Buffer.from('x')]) };
    expect((await alice.upload('/user_uploads', [more])).body).toEqual({
      result: 'error',
      msg: "File is larger than this server's configured maximum upload size (100 MiB).",
      code: 'BAD_REQUEST',
    });
    expect((await alice.get('/attachments')).attachments).toHaveLength(1);
  });

  test('holds the organization to its quota, also when many upload at once', async () => {
    const { alice, bob, realm: home } = await realm();
    const { sql } = await getWorld();
    await sql`update realms set upload_quota_mib = 1 where id = ${home.id}`;
    const third = { name: 'third.bin', content: Buffer.alloc(350_000) };
    const replies = await Promise.all(
      [alice, bob, alice, bob, alice].map((by) => by.upload('/user_uploads', [third])),
    );
    const codes = replies.map(({ body }) => String(body.code ?? body.result)).sort();
    expect(codes).toEqual([
      'REALM_UPLOAD_QUOTA',
      'REALM_UPLOAD_QUOTA',
      'REALM_UPLOAD_QUOTA',
      'success',
      'success',
    ]);
    expect((await alice.get('/attachments')).upload_space_used).toBe(700_000);
    expect((await alice.post('/register', { fetch_event_types: ['realm'] })).realm_upload_quota_mib).toBe(1);
  });

  test.each([
    ['../../../etc/passwd', 'passwd', 'passwd'],
    ['Отчёт за май.pdf', 'Отчёт за май.pdf', 'Отчёт-за-май.pdf'],
    ['<script>.png', '<script>.png', 'script-.png'],
    ['...', '...', 'file'],
    ['CON:?*|.txt', 'CON:?*|.txt', 'CON-.txt'],
    [`${'x'.repeat(150)}.tar.gz`, `${'x'.repeat(150)}.tar.gz`, `${'x'.repeat(77)}.gz`],
    [`${'x'.repeat(300)}.png`, 'x'.repeat(200), 'x'.repeat(80)],
  ])('gives %j an address that is safe', async (name, filename, last) => {
    const { alice, realm: home } = await realm();
    const { body } = await alice.upload('/user_uploads', [text('x', name)]);
    expect(body.filename).toBe(filename);
    expect(body.url.split('/')).toEqual([
      '',
      'user_uploads',
      String(home.id),
      expect.stringMatching(/^[\w-]{24}$/),
      last,
    ]);
    const reply = await alice.fetch(encodeURI(body.url));
    expect([reply.status, reply.text]).toEqual([200, 'x']);
  });

  test('a node that fails to store the file leaves no upload', async () => {
    const { alice } = await realm();
    const world = await getWorld();
    const store = { ...world.store, put: () => Promise.reject(new Error('the disk is full')) };
    await using node = await world.startApi({ store });
    const upload = alice.upload('/user_uploads', [text('x')], { port: node.port });
    // A reply that is no documented one fails the check of replies.
    await expect(upload).rejects.toThrow('500');
    expect(world.bugs.splice(0)).toHaveLength(1);
    expect((await alice.get('/attachments')).attachments).toEqual([]);
    const folders =
      await world.sql`select * from loose_folders where folder like ${`uploads/${alice.realm.id}/%`}`;
    expect(folders, 'what may have been left is swept later').toHaveLength(1);
  });
});

describe('GET /user_uploads', () => {
  test('is the owner’s alone until somebody else may read a message with it', async () => {
    const { alice, bob, admin, guest } = await realm();
    const url = await upload(alice);
    expect(await statusFor(alice, url)).toBe(200);
    for (const other of [bob, admin, guest]) expect(await statusFor(other, url)).toBe(403);

    await tell(alice, bob, `For you: [notes](${url})`);

    expect(await statusFor(bob, url)).toBe(200);
    for (const other of [admin, guest]) expect(await statusFor(other, url)).toBe(403);
  });

  test('in a public channel is everyone’s but those guests who are not in it', async () => {
    const { alice, bob, guest, bot, join } = await realm();
    const inside = await join({ name: 'Insider', role: 600 });
    await channel(alice, 'news', [alice, inside]);
    const url = await upload(alice);
    await say(alice, 'news', url);
    for (const person of [bob, bot, inside]) expect(await statusFor(person, url)).toBe(200);
    expect(await statusFor(guest, url)).toBe(403);
  });

  test('in a web-public channel is also the guests’', async () => {
    const { alice, guest, realm: home } = await realm();
    const { sql } = await getWorld();
    await channel(alice, 'open', [alice]);
    const url = await upload(alice);
    await say(alice, 'open', url);
    expect(await statusFor(guest, url)).toBe(403);
    await sql`update channels set is_web_public = true where realm_id = ${home.id}`;
    expect(await statusFor(guest, url)).toBe(200);
  });

  test('in a private channel is for its subscribers, who read its history or only what they received', async () => {
    const { owner, alice, bob, carol, guest } = await realm();
    await channel(alice, 'shared', [alice, bob], {
      invite_only: true,
      history_public_to_subscribers: true,
    });
    await channel(alice, 'protected', [alice, bob], {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const [shared, secret] = [await upload(alice), await upload(alice)];
    await say(alice, 'shared', shared);
    await say(alice, 'protected', secret);
    for (const url of [shared, secret]) {
      expect(await statusFor(bob, url)).toBe(200);
      for (const person of [carol, guest, owner]) expect(await statusFor(person, url)).toBe(403);
    }

    await channel(alice, 'shared', [carol]);
    await channel(alice, 'protected', [carol]);

    expect(await statusFor(carol, shared)).toBe(200);
    expect(await statusFor(carol, secret)).toBe(403);
  });

  test('gives nothing to those without an account, another organization, or a deactivated user', async () => {
    const { alice, bob, realm: home } = await realm();
    const elsewhere = await realm();
    const { sql } = await getWorld();
    await channel(alice, 'news', [alice]);
    const url = await upload(alice);
    await say(alice, 'news', url);
    expect((await bob.fetch(url, {}, { authorization: null })).status).toBe(403);
    expect((await elsewhere.alice.fetch(url)).status).toBe(404);
    expect((await bob.fetch(url, {}, { host: elsewhere.realm.host })).status).toBe(401);
    await sql`update users set is_active = false where id = ${bob.id} and realm_id = ${home.id}`;
    expect(await statusFor(bob, url)).toBe(401);
  });

  test('takes the key of an account in the address, too', async () => {
    const { alice, bob } = await realm();
    const url = await upload(alice);
    const ask = (key: string) => alice.fetch(`${url}?api_key=${key}`, {}, { authorization: null });
    expect((await ask(alice.apiKey)).text).toBe('some notes');
    expect((await ask(alice.apiKey)).status).toBe(200);
    expect((await ask(bob.apiKey)).status).toBe(403);
    expect((await ask('x'.repeat(32))).status).toBe(401);
    expect((await ask('')).status).toBe(401);
    const { api_key } = await alice.post('/users/me/api_key/regenerate');
    expect((await ask(alice.apiKey)).status).toBe(401);
    expect((await ask(api_key)).status).toBe(200);
  });

  test('does not cost the account any of its calls', async () => {
    const { alice } = await realm();
    const url = await upload(alice);
    const once = [{ seconds: 60, count: 1 }];
    await using node = await (
      await getWorld()
    ).startApi({ limits: { byUser: once, byAddress: once, logins: once } });
    for (let time = 0; time < 5; time += 1) {
      expect((await alice.fetch(url, {}, { port: node.port })).status).toBe(200);
    }
  });

  test.each([
    '/user_uploads/1/2/3',
    '/user_uploads/x/%00/..%2f',
    '/user_uploads/1/%zz/a',
    '/user_uploads/thumbnail/1/2/3/840x560.webp',
    '/user_uploads/temporary/1.2/1/2/3',
    '/user_avatars/1/none.png',
    '/user_avatars/1/..%2f..%2fsecret.png',
    `/user_uploads/1/${'x'.repeat(1000)}/a`,
  ])('answers %s in words', async (path) => {
    const { alice } = await realm();
    const reply = await alice.fetch(path);
    expect(reply.status).toBe(404);
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
  });
});

describe('a file as it is sent', () => {
  const headersOf = async (by: Person, file: SentFile) =>
    (await by.fetch(encodeURI(await upload(by, file)))).headers;

  test.each([
    ['image/png', 'inline'],
    ['image/webp', 'inline'],
    ['audio/mpeg', 'inline'],
    ['video/mp4', 'inline'],
    ['application/pdf', 'inline'],
    ['text/plain', 'inline'],
    ['text/html', 'attachment'],
    ['image/svg+xml', 'attachment'],
    ['application/xhtml+xml', 'attachment'],
    ['application/javascript', 'attachment'],
    ['application/zip', 'attachment'],
    ['multipart/x-mixed-replace', 'attachment'],
  ])('%s is sent as %s, and runs nothing', async (type, disposition) => {
    const { alice } = await realm();
    const headers = await headersOf(alice, { name: 'a file', content: '<script>alert(1)</script>', type });
    expect(headers['content-type']).toBe(type === 'text/plain' ? 'text/plain; charset=utf-8' : type);
    expect(headers['content-disposition']).toMatch(new RegExp(`^${disposition};`));
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const isSandboxed = String(headers['content-security-policy']).startsWith('sandbox;');
    expect(isSandboxed).toBe(type !== 'application/pdf');
  });

  test('is called what it was called, whatever that was', async () => {
    const { alice } = await realm();
    const { 'content-disposition': disposition } = await headersOf(
      alice,
      text('x', "Bericht 'für' \u{1F600}.zip"),
    );
    expect(disposition).toBe(
      `attachment; filename="Bericht _f_r_ __.zip"; filename*=UTF-8''Bericht%20%27f%C3%BCr%27%20%F0%9F%98%80.zip`,
    );
  });

  test.each([
    ['a.pdf', undefined, 'application/pdf'],
    ['a.mp4', 'application/octet-stream', 'video/mp4'],
    ['a.csv', 'text/plain', 'text/csv'],
    ['a', undefined, 'text/plain; charset=utf-8'],
    ['a.weird', 'application/octet-stream', 'application/octet-stream'],
    ['a.txt', 'text/plain; charset=latin1', 'text/plain; charset=utf-8'],
    ['a.bin', 'not a type\t', 'application/octet-stream'],
  ])('%s from a program that says %s is %s', async (name, type, expected) => {
    const { alice } = await realm();
    const file = { name, content: 'x', ...(type !== undefined && { type }) };
    expect((await headersOf(alice, file))['content-type']).toBe(expected);
  });

  test('is kept by the browser, and asked for again at no cost', async () => {
    const { alice, bob } = await realm();
    const url = await upload(alice);
    const { headers } = await alice.fetch(url);
    expect(headers['cache-control']).toBe('private, max-age=31536000, immutable');
    const again = await alice.fetch(url, { 'If-None-Match': String(headers['etag']) });
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', headers['etag']]);
    expect((await bob.fetch(url, { 'If-None-Match': String(headers['etag']) })).status).toBe(403);
    expect((await alice.fetch(url, { 'If-None-Match': '"another"' })).status).toBe(200);
  });

  test.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=0-999', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=-999', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=4-2', 200, '0123456789', undefined],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
  ])('a part of it: %s', async (range, status, content, span) => {
    const { alice } = await realm();
    const url = await upload(alice, text('0123456789'));
    const reply = await alice.fetch(url, { Range: range });
    expect([reply.status, reply.text, reply.headers['content-range']]).toEqual([status, content, span]);
    expect(reply.headers['content-length']).toBe(String(content.length));
  });

  test('a part of what has changed since is all of it', async () => {
    const { alice } = await realm();
    const url = await upload(alice, text('0123456789'));
    const { etag } = (await alice.fetch(url)).headers;
    const ask = (ifRange: string) => alice.fetch(url, { Range: 'bytes=0-1', 'If-Range': ifRange });
    expect((await ask(String(etag))).status).toBe(206);
    expect((await ask('"another"')).status).toBe(200);
  });

  test('can be asked about without being sent', async () => {
    const { alice } = await realm();
    const { ports } = await getWorld();
    const path = await upload(alice, text('0123456789'));
    const headers = { Host: alice.realm.host, Authorization: basic(alice.email, alice.apiKey) };
    const reply = await call({ port: ports.api, method: 'HEAD', path, headers });
    expect([reply.status, reply.text, reply.headers['content-length']]).toEqual([200, '', '10']);
  });
});

describe('GET /api/v1/user_uploads/{realm_id_str}/{filename}', () => {
  test('opens the file for a minute to whoever has the path', async () => {
    const { alice, bob } = await realm();
    const world = await getWorld();
    const url = await upload(alice);
    const { body } = await alice.ask('GET', url);
    expect(body.url).toMatch(/^\/user_uploads\/temporary\//);

    const open = (port?: number) =>
      bob.fetch(body.url, {}, { authorization: null, ...(port !== undefined && { port }) });
    expect((await open()).text).toBe('some notes');
    const inAMinute = { nowMs: () => Date.now() + 59_000 };
    await using soon = await world.startApi({ clock: inAMinute });
    expect((await open(soon.port)).status).toBe(200);
    await using later = await world.startApi({ clock: { nowMs: () => Date.now() + 61_000 } });
    expect((await open(later.port)).status).toBe(403);
  });

  test('is for nobody who may not read it, and for no other file', async () => {
    const { alice, bob } = await realm();
    const elsewhere = await realm();
    const [url, other] = [await upload(alice), await upload(alice)];
    for (const person of [bob, elsewhere.alice]) {
      const reply = await person.ask('GET', url);
      expect([reply.status, reply.body.code]).toEqual([404, 'NOT_FOUND']);
    }
    const path: string = (await alice.ask('GET', url)).body.url;
    const signature = path.split('/')[3] ?? '';
    const [until = '', mac = ''] = signature.split('.');
    const pathId = (address: string) => address.replace('/user_uploads/', '');
    for (const forged of [
      `/user_uploads/temporary/${signature}/${pathId(other)}`,
      `/user_uploads/temporary/${Number(until) + 1}.${mac}/${pathId(url)}`,
      `/user_uploads/temporary/${until}.${mac.slice(1)}/${pathId(url)}`,
      `/user_uploads/temporary/${until}/${pathId(url)}`,
    ]) {
      expect((await bob.fetch(forged, {}, { authorization: null })).status).toBe(403);
    }
  });
});

describe('files in messages', () => {
  const own = async (person: Person) => (await person.get('/attachments')).attachments;

  test('their owner hears which messages refer to them, whoever sent those', async () => {
    const { alice, bob, carol } = await realm();
    const url = await upload(alice);
    const [{ id }] = await own(alice);
    const [phone, stranger] = [
      await alice.listen({ event_types: ['attachment'] }),
      await bob.listen({ event_types: ['attachment'] }),
    ];

    const first = await tell(alice, bob, `[a](${url})`);
    const second = await tell(bob, carol, `Look at ${url}, twice: ${url}`);

    const refers = (messages: unknown[]) => ({
      type: 'attachment',
      op: 'update',
      attachment: { id, messages },
      upload_space_used: 10,
    });
    const [one, two] = [first, second].map(({ id: messageId }) => ({
      id: messageId,
      date_sent: expect.any(Number),
    }));
    expect(await phone.hears()).toMatchObject([refers([one]), refers([one, two])]);
    expect(await stranger.hears()).toEqual([]);
    expect(await own(alice)).toMatchObject([{ id, messages: [one, two] }]);
    expect((await own(alice))[0].messages[0].date_sent % 1000).toBe(0);
  });

  test('the message comes before what its file’s owner hears of it', async () => {
    const { alice } = await realm();
    const url = await upload(alice);
    const phone = await alice.listen();
    await tell(alice, alice, url);
    expect((await phone.hears()).map(({ type }) => type)).toEqual(['message', 'attachment']);
  });

  test('nobody gains a file by naming it', async () => {
    const { alice, bob, carol } = await realm();
    const elsewhere = await realm();
    const url = await upload(alice);
    await tell(bob, carol, `I know the address: ${url}`);
    await tell(elsewhere.alice, elsewhere.bob, `So do I: ${url}`);
    for (const person of [bob, carol]) expect(await statusFor(person, url)).toBe(403);
    expect((await own(alice))[0].messages).toEqual([]);
  });

  test('an address is found wherever it stands in a text', async () => {
    const { alice, bob } = await realm();
    const url = await upload(alice, text('x', 'Mai – übrig.txt'));
    for (const written of [
      `[a](${url})`,
      `![a](${url})`,
      `<${alice.realm.url}${url}>`,
      `See ${url}.`,
      encodeURI(url),
      url.replace('/user_uploads/', '/user_uploads/thumbnail/'),
      `\`${url}\``,
    ]) {
      const { id } = await tell(alice, bob, written);
      expect((await own(alice))[0].messages.at(-1).id, written).toBe(id);
    }
  });

  test('a message may name files without number; fifty are tied to it', async () => {
    const { alice, bob } = await realm();
    const url = await upload(alice);
    const unknown = Array.from({ length: 60 }, (_, index) =>
      url.replace(/\/[\w-]{24}\//, `/${'x'.repeat(22)}${index + 10}/`),
    );
    await tell(alice, bob, [...unknown, url].join('\n'));
    expect((await own(alice))[0].messages).toEqual([]);
  });

  test('a retry is the same message and ties nothing again', async () => {
    const { alice, bob } = await realm();
    const url = await upload(alice);
    const { queueId } = await alice.listen();
    const params = { type: 'direct', to: [bob.id], content: url, queue_id: queueId, local_id: '1.1' };
    const [first, second] = [await alice.post('/messages', params), await alice.post('/messages', params)];
    expect(second.id).toBe(first.id);
    expect((await own(alice))[0].messages).toHaveLength(1);
  });
});

describe('DELETE /attachments/{attachment_id}', () => {
  test('takes the file away from everyone, and tells its owner', async () => {
    const { alice, bob } = await realm();
    const url = await upload(alice);
    await upload(alice, text('another'));
    await tell(alice, bob, url);
    const [, { id }] = (await alice.get('/attachments')).attachments;
    const phone = await alice.listen();

    expect(await alice.delete(`/attachments/${id}`)).toEqual({ result: 'success', msg: '' });

    expect(await phone.hears()).toMatchObject([
      { type: 'attachment', op: 'remove', attachment: { id }, upload_space_used: 7 },
    ]);
    expect(await alice.get('/attachments')).toMatchObject({
      attachments: [{ size: 7 }],
      upload_space_used: 7,
    });
    for (const person of [alice, bob]) expect(await statusFor(person, url)).toBe(404);
    expect((await alice.delete(`/attachments/${id}`)).msg).toBe('Invalid attachment');
  });

  test('is the owner’s alone', async () => {
    const { alice, bob, admin, owner } = await realm();
    const elsewhere = await realm();
    await upload(alice);
    const [{ id }] = (await alice.get('/attachments')).attachments;
    for (const person of [bob, admin, owner, elsewhere.alice]) {
      expect(await person.delete(`/attachments/${id}`)).toEqual({
        result: 'error',
        msg: 'Invalid attachment',
        code: 'BAD_REQUEST',
      });
    }
    expect((await alice.get('/attachments')).attachments).toHaveLength(1);
  });

  test('never waits for a message that refers to the file, nor the message for it', async () => {
    const people: TestRealm = await realm();
    const { alice, bob, carol } = people;
    await channel(alice, 'news', [alice, bob, carol]);
    for (let round = 0; round < 8; round += 1) {
      const urls = [await upload(alice), await upload(alice), await upload(bob)];
      const files: { id: number; by: Person }[] = [alice, bob].flatMap((by) => ({ id: 0, by }));
      for (const file of files) [{ id: file.id }] = (await file.by.get('/attachments')).attachments;
      const sends = [alice, bob, carol, alice, bob].map((by, index) =>
        say(by, 'news', [...urls.slice(index % 3), ...urls].join(' ')),
      );
      const replies = await Promise.all([
        ...sends,
        ...files.map(({ id, by }) => by.delete(`/attachments/${id}`)),
        upload(carol).then(() => ({ result: 'success' })),
        say(carol, 'news', 'no file'),
      ]);
      expect(replies.map(({ result }) => result)).toEqual(replies.map(() => 'success'));
    }
    const { sql } = await getWorld();
    const [lost] = await sql<{ count: number }[]>`
      select count(*)::int as count from message_attachments r
      left join attachments a on a.id = r.attachment_id where a.id is null`;
    expect(lost?.count).toBe(0);
    const { attachments, upload_space_used } = await alice.get('/attachments');
    const others = (await Promise.all([bob, carol].map((person) => person.get('/attachments')))).flatMap(
      (reply) => reply.attachments,
    );
    const bytes = [...attachments, ...others].reduce((sum: number, { size }) => sum + size, 0);
    expect(upload_space_used).toBe(bytes);
  });
});

test('uploads are described to clients at registration', async () => {
  const { alice } = await realm();
  const state = await alice.post('/register', { fetch_event_types: ['realm'] });
  expect(state).toMatchObject({
    max_file_upload_size_mib: 100,
    max_avatar_file_size_mib: 5,
    max_icon_file_size_mib: 5,
    max_logo_file_size_mib: 5,
    realm_upload_quota_mib: null,
    server_thumbnail_formats: expect.arrayContaining([
      { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
    ]),
  });
});

import { describe, expect, test } from 'vitest';

import {
  type Person,
  type SentFile,
  basic,
  call,
  encodeMultipart,
  foldersToSweep,
  getWorld,
  multipartType,
  realm,
  setUploadQuota,
  text,
} from '../../support/index.ts';

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
    ['no file', [], 'Choose a file to upload.'],
    ['two files', [text('a'), text('b')], 'Upload one file at a time.'],
    ['three files', [text('a'), text('b'), text('c')], 'Upload one file at a time.'],
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
      msg: 'Choose a file to upload.',
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
      msg: 'A file can have at most 100 MiB.',
      code: 'BAD_REQUEST',
    });
    expect((await alice.get('/attachments')).attachments).toHaveLength(1);
  });

  test('holds everyone to the quotas of the server, and tells them', async () => {
    const { alice, bob } = await realm();
    await using node = await (await getWorld()).startApi({ uploadQuotas: { realmMib: 3, userMib: 1 } });
    const { port } = node;
    const third = { name: 'third.bin', content: Buffer.alloc(400_000) };
    const upload = async (by: Person) =>
      String((await by.upload('/user_uploads', [third], { port })).body.code ?? 'success');
    const codes = await Promise.all([alice, alice, alice, alice].map(upload));
    expect(codes.sort()).toEqual(['REALM_UPLOAD_QUOTA', 'REALM_UPLOAD_QUOTA', 'success', 'success']);
    expect(await upload(bob)).toBe('success');
    const { body } = await alice.ask('POST', '/register', { fetch_event_types: ['realm'] }, { port });
    expect(body.realm_upload_quota_mib).toBe(3);
  });

  test('holds the organization to its quota, also when many upload at once', async () => {
    const { alice, bob, realm: home } = await realm();
    await setUploadQuota(home.id, 1);
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
    ['<script>.png', '<script>.png', 'script.png'],
    ['...', '...', 'uploaded-file'],
    ['CON:?*|.txt', 'CON:?*|.txt', 'CON.txt'],
    ['a  b -- (c)!.txt', 'a  b -- (c)!.txt', 'a-b-c.txt'],
    ['-Ａ_b-.txt', '-Ａ_b-.txt', '-A_b-.txt'],
    ['.profile', '.profile', '.profile'],
    ['$%^', '$%^', 'uploaded-file'],
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
    const folders = await foldersToSweep(`uploads/${alice.realm.id}`);
    expect(folders, 'what may have been left is swept later').toHaveLength(1);
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

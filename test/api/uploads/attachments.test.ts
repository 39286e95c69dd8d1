import { describe, expect, test } from 'vitest';

import {
  type Person,
  type TestRealm,
  countDanglingReferences,
  linkTo,
  realm,
  say,
  statusFor,
  subscribe,
  succeed,
  tell,
  text,
  upload,
} from '../../support/index.ts';

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

    const first = await tell(alice, [bob], `[a](${url})`);
    const second = await tell(bob, [carol], `Look at ${linkTo(url)}, twice: ${linkTo(url)}`);

    const refers = (messages: unknown[]) => ({
      type: 'attachment',
      op: 'update',
      attachment: { id, messages },
      upload_space_used: 10,
    });
    const [one, two] = [first, second].map((messageId) => ({
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
    await tell(alice, [alice], linkTo(url));
    expect((await phone.hears()).map(({ type }) => type)).toEqual(['message', 'attachment']);
  });

  test('nobody gains a file by naming it', async () => {
    const { alice, bob, carol } = await realm();
    const elsewhere = await realm();
    const url = await upload(alice);
    await tell(bob, [carol], `I know the address: ${linkTo(url)}`);
    await tell(elsewhere.alice, [elsewhere.bob], `So do I: ${linkTo(url)}`);
    for (const person of [bob, carol]) expect(await statusFor(person, url)).toBe(403);
    expect((await own(alice))[0].messages).toEqual([]);
  });

  test('a link to a file that is none of the author’s stays a link, which says nothing about the file', async () => {
    const { alice, bob, carol } = await realm();
    const url = await upload(alice);
    const missing = url.replace(/\/[\w-]{24}\//, `/${'x'.repeat(24)}/`);
    for (const address of [url, missing]) {
      const id = await tell(bob, [carol], `[hello](${address})`);
      const { messages } = await carol.get('/messages', { anchor: id, num_before: 0, num_after: 0 });
      expect(messages[0].content).toBe(`<p><a href="${address}">hello</a></p>`);
    }
  });

  test('a link is found wherever it stands in a text, and nothing else is one', async () => {
    const { alice, bob } = await realm();
    const url = await upload(alice, text('x', 'Mai – übrig.txt'));
    for (const written of [
      `[a](${url})`,
      `<${alice.realm.url}${encodeURI(url)}>`,
      `See ${alice.realm.url}${encodeURI(url)}.`,
      `> * [a](${encodeURI(url)})`,
      `[a](${url.replace('/user_uploads/', '/user_uploads/thumbnail/')})`,
    ]) {
      const id = await tell(alice, [bob], written);
      expect((await own(alice))[0].messages.at(-1).id, written).toBe(id);
    }
    const tied = (await own(alice))[0].messages;
    for (const text of [url, `![a](${url})`, `\`[a](${url})\``, `\`\`\`\n[a](${url})\n\`\`\``])
      await tell(alice, [bob], text);
    expect((await own(alice))[0].messages).toEqual(tied);
  });

  test('a message may name files without number; fifty are tied to it', async () => {
    const { alice, bob } = await realm();
    const url = await upload(alice);
    const unknown = Array.from({ length: 60 }, (_, index) =>
      url.replace(/\/[\w-]{24}\//, `/${'x'.repeat(22)}${index + 10}/`),
    );
    await tell(alice, [bob], [...unknown, url].map(linkTo).join('\n'));
    expect((await own(alice))[0].messages).toEqual([]);
  });

  test('a retry is the same message and ties nothing again', async () => {
    const { alice, bob } = await realm();
    const url = await upload(alice);
    const { queueId } = await alice.listen();
    const params = { type: 'direct', to: [bob.id], content: linkTo(url), queue_id: queueId, local_id: '1.1' };
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
    await tell(alice, [bob], linkTo(url));
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
    expect((await alice.delete(`/attachments/${id}`)).msg).toBe('This file does not exist.');
  });

  test('is the owner’s alone', async () => {
    const { alice, bob, admin, owner } = await realm();
    const elsewhere = await realm();
    await upload(alice);
    const [{ id }] = (await alice.get('/attachments')).attachments;
    for (const person of [bob, admin, owner, elsewhere.alice]) {
      expect(await person.delete(`/attachments/${id}`)).toEqual({
        result: 'error',
        msg: 'This file does not exist.',
        code: 'BAD_REQUEST',
      });
    }
    expect((await alice.get('/attachments')).attachments).toHaveLength(1);
  });

  test('never waits for a message that refers to the file, nor the message for it', async () => {
    const people: TestRealm = await realm();
    const { alice, bob, carol } = people;
    await subscribe(alice, 'news', [alice, bob, carol]);
    for (let round = 0; round < 8; round += 1) {
      const urls = [await upload(alice), await upload(alice), await upload(bob)];
      const files: { id: number; by: Person }[] = [alice, bob].flatMap((by) => ({ id: 0, by }));
      for (const file of files) [{ id: file.id }] = (await file.by.get('/attachments')).attachments;
      const sends = [alice, bob, carol, alice, bob].map((by, index) =>
        say(by, 'news', 't', [...urls.slice(index % 3), ...urls].map(linkTo).join(' ')),
      );
      await Promise.all([
        ...sends,
        ...files.map(({ id, by }) => succeed(by.delete(`/attachments/${id}`))),
        upload(carol),
        say(carol, 'news', 't', 'no file'),
      ]);
    }
    expect(await countDanglingReferences()).toBe(0);
    const { attachments, upload_space_used } = await alice.get('/attachments');
    const others = (await Promise.all([bob, carol].map((person) => person.get('/attachments')))).flatMap(
      (reply) => reply.attachments,
    );
    const bytes = [...attachments, ...others].reduce((sum: number, { size }) => sum + size, 0);
    expect(upload_space_used).toBe(bytes);
  });
});

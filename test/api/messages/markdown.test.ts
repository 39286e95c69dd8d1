import * as model from '@parley/model';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  createChannel,
  createGroup,
  emptyChannel,
  headOf,
  linkTo,
  realm,
  say,
  setOldRendering,
  setSentAt,
  storedHtml,
  subscribe,
  succeed,
  tell,
  upload,
  uploadEmoji,
} from '../../support/index.ts';

/** The newest message as the person is shown it. */
const newestOf = async (by: Person, apply_markdown = true): Promise<Json> =>
  (await by.get('/messages', { anchor: 'newest', num_before: 1, apply_markdown })).messages[0];

/** What a message of one's own becomes. */
async function shown(by: Person, content: string): Promise<string> {
  await tell(by, [by], content);
  return (await newestOf(by)).content;
}

const makeLinkifier = (by: Person, pattern: string, url_template: string) =>
  succeed(by.post('/realm/filters', { pattern, url_template }));

const picture = () =>
  sharp({ create: { width: 20, height: 10, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

describe('what is sent', () => {
  test('is shown as HTML to clients that want it, and as it was written to the others', async () => {
    const { alice, bob } = await realm();
    const [plain, rendered] = [
      await bob.listen(),
      await bob.listen({ event_types: ['message'], apply_markdown: true }),
    ];
    await tell(alice, [bob], '*so* :tada:');
    const html = (await rendered.hears())[0]?.['message'].content;
    expect(html).toMatch(/^<p><em>so<\/em> <span aria-label="tada" class="emoji emoji-1f389"/);
    expect((await plain.hears())[0]).toMatchObject({ message: { content: '*so* :tada:' } });
    expect((await newestOf(bob)).content).toBe(html);
    expect((await newestOf(bob, false)).content).toBe('*so* :tada:');
  });

  test('names people, channels and topics by what they are called', async () => {
    const { alice, bob } = await realm();
    const id = await emptyChannel(alice, 'My lab', [alice]);
    const message = await say(alice, id, 'week 3.5', 'first');
    expect(await shown(alice, '@**bob** @_**bob**')).toBe(
      `<p><span class="user-mention" data-user-id="${bob.id}">@Bob</span> <span class="user-mention silent" data-user-id="${bob.id}">Bob</span></p>`,
    );
    const href = `/#narrow/channel/${id}-My-lab`;
    expect(await shown(alice, '#**my lab**')).toBe(
      `<p><a class="stream" data-stream-id="${id}" href="${href}">#My lab</a></p>`,
    );
    expect(await shown(alice, '#**my lab>week 3.5**')).toBe(
      `<p><a class="stream-topic" data-stream-id="${id}" href="${href}/topic/week.203.2E5/with/${message}">#My lab &gt; week 3.5</a></p>`,
    );
    expect(await shown(alice, `#**my lab>week 3.5@${message}**`)).toBe(
      `<p><a class="message-link" href="${href}/topic/week.203.2E5/near/${message}">#My lab &gt; week 3.5 @ 💬</a></p>`,
    );
  });

  // Not everybody has the same small letters for these.
  test.each(['İzmir', 'ΑΘΗΝΑΣ'])('names %s by that name, too', async (name) => {
    const { alice } = await realm();
    await succeed(alice.patch('/settings', { full_name: name }));
    await createGroup(alice, name);
    await say(alice, await emptyChannel(alice, name, [alice]), name);
    const html = await shown(alice, `@**${name}** @*${name}* #**${name}** #**${name}>${name}**`);
    expect([...html.matchAll(/class="([^"]+)"/g)].map(([, kind]) => kind)).toEqual([
      'user-mention',
      'user-group-mention',
      'stream',
      'stream-topic',
    ]);
    expect(html).toContain('/with/');
  });

  test('what is sent by oneself begins with /me, however long it is', async () => {
    const { alice } = await realm();
    expect(await shown(alice, '/me waves')).toBe('<p>/me waves</p>');
    await tell(alice, [alice], '/me waves\n\nand goes');
    expect((await newestOf(alice)).is_me_message).toBe(true);
    await tell(alice, [alice], 'so /me waves');
    expect((await newestOf(alice)).is_me_message).toBe(false);
  });

  test('names nothing that its author does not know', async () => {
    const { alice, bob, guest } = await realm();
    const secret = await createChannel(alice, 'secret', [alice], { invite_only: true });
    await say(alice, secret, 'plans');
    for (const by of [bob, guest]) {
      expect(await shown(by, '#**secret>plans** @**Nobody Here**')).toBe(
        '<p>#<strong>secret&gt;plans</strong> @<strong>Nobody Here</strong></p>',
      );
    }
  });

  test('links to the latest message of a topic that its author may read', async () => {
    const { alice, bob } = await realm();
    const id = await createChannel(alice, 'secret', [alice], {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const old = await say(alice, id, 'plans');
    await subscribe(alice, 'secret', [bob]);
    expect(await shown(bob, '#**secret>plans**')).not.toContain('/with/');
    expect(await shown(alice, '#**secret>plans**')).toContain(`/with/${old}`);
    const seen = await say(alice, id, 'plans');
    expect(await shown(bob, '#**secret>plans**')).toContain(`/with/${seen}`);
  });

  test('has the organization’s own links and emoji, and the author’s emoticons', async () => {
    const people = await realm();
    const { admin, alice, bob } = people;
    await uploadEmoji(people, 'logo');
    await makeLinkifier(admin, 'case-(?P<n>[0-9]+)', 'https://t.example.org/{n}');
    expect(await shown(alice, 'case-15')).toBe('<p><a href="https://t.example.org/15">case-15</a></p>');
    expect(await shown(alice, ':logo:')).toMatch(
      /^<p><img alt=":logo:" class="emoji" src="\/user_avatars\/.*" title="logo"><\/p>$/,
    );
    await succeed(admin.delete('/realm/emoji/logo'));
    expect(await shown(alice, ':logo:')).toBe('<p>:logo:</p>');
    await succeed(alice.patch('/settings', { translate_emoticons: true }));
    expect(await shown(alice, ':)')).toContain('emoji-1f642');
    expect(await shown(bob, ':)')).toBe('<p>:)</p>');
    const [, src = ''] = /src="([^"]*)"/.exec(await shown(bob, ':zulip:')) ?? [];
    expect((await bob.fetch(src)).headers['content-type']).toBe('image/png');
  });

  test('shows a picture that the server has while a thumbnail is made', async () => {
    const { guest } = await realm();
    const { status, headers } = await guest.fetch(model.texts.pictureUrls.loading);
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml']);
  });

  test('changes with what linkifiers there are, for whoever had sent before', async () => {
    const { admin, alice } = await realm();
    expect(await shown(alice, 'case-1')).toBe('<p>case-1</p>');
    const { id } = await makeLinkifier(admin, 'case-(?P<n>[0-9]+)', 'https://t.example.org/{n}');
    expect(await shown(alice, 'case-1')).toContain('<a href');
    await succeed(admin.delete(`/realm/filters/${id}`));
    expect(await shown(alice, 'case-1')).toBe('<p>case-1</p>');
  });

  test('shows pictures that were uploaded, to whoever may show them', async () => {
    const { alice, bob } = await realm();
    const url = await upload(alice, { name: 'red.png', content: await picture(), type: 'image/png' });
    const preview = (await shown(alice, `[red.png](${url})`)).split('</p>')[1] ?? '';
    expect(preview).toContain('data-original-dimensions="20x10"');
    expect(preview).toContain(
      `src="${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp"`,
    );
    expect(await shown(bob, `[red.png](${url})`)).toBe(`<p><a href="${url}">red.png</a></p>`);
    const { messages } = await alice.get('/messages', {
      anchor: 'newest',
      num_before: 9,
      narrow: [['has', 'image']],
    });
    expect(messages).toHaveLength(1);
  });

  test('a text that would be too long as HTML is shown as it is written, and mentions nobody', async () => {
    const { admin, alice, bob } = await realm();
    await makeLinkifier(admin, 'x(?P<n>[0-9])', `https://t.example.org/${'long/'.repeat(180)}{n}`);
    const content = `@**Bob** ${'x1 '.repeat(3000)}`.trim();
    await tell(alice, [bob], content);
    expect(await newestOf(bob)).toMatchObject({ content: `<p>${content}</p>`, flags: [] });
  });

  test('a text that cannot be rendered is refused, and nothing of it is left', async () => {
    const { admin, alice, bob } = await realm();
    // The links alone are just short enough, and the mentions make the HTML too long.
    await makeLinkifier(admin, 'x(?P<n>[0-9])', `https://t.example.org/${'long/'.repeat(190)}{n}`);
    const url = await upload(alice);
    const before = await headOf(alice.realm.id);
    const refusal = {
      result: 'error',
      code: 'BAD_REQUEST',
      msg: 'This message cannot be displayed. Try a simpler text.',
    };
    const content = `${'@**Bob** '.repeat(900)} ${linkTo(url)} ${'x1 '.repeat(250)}`;
    expect(await alice.post('/messages', { type: 'direct', to: [bob.id], content })).toMatchObject(refusal);
    expect(await alice.post('/messages/render', { content })).toMatchObject(refusal);
    expect(await headOf(alice.realm.id)).toBe(before);
    expect((await alice.get('/attachments')).attachments[0].messages).toEqual([]);

    const id = await tell(alice, [bob], 'fine');
    expect(await alice.patch(`/messages/${id}`, { content })).toMatchObject(refusal);
    expect(await newestOf(bob)).toMatchObject({ id, content: '<p>fine</p>' });
  });
});

describe('what was sent', () => {
  test('is rendered anew when it is edited, with what it names then', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [alice, bob], '@**Bob**');
    await succeed(bob.patch('/settings', { full_name: 'Robert' }));
    expect((await newestOf(bob)).content).toContain('@Bob<');
    await succeed(alice.patch(`/messages/${id}`, { content: '**now** @**Robert**' }));
    expect((await newestOf(bob)).content).toBe(
      `<p><strong>now</strong> <span class="user-mention" data-user-id="${bob.id}">@Robert</span></p>`,
    );
  });

  test('a text of an older renderer is shown as this one shows it, and not written again', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob], '*so*');
    await setOldRendering(alice, id, '<p>old</p>');
    for (const _ of [1, 2]) expect((await newestOf(bob)).content).toBe('<p><em>so</em></p>');
    expect(await storedHtml(alice, id)).toBe('<p>old</p>');
    await succeed(alice.patch(`/messages/${id}`, { content: '*other*' }));
    expect((await newestOf(bob)).content).toBe('<p><em>other</em></p>');
  });

  test('a time of day means the day on which it was sent, whenever it is rendered', async () => {
    const { owner, alice, bob } = await realm();
    await succeed(owner.patch('/realm', { message_content_edit_limit_seconds: '"unlimited"' }));
    const id = await tell(alice, [bob], 'x');
    await setSentAt(alice, id, new Date('2024-02-29T23:59:00Z'));
    const time = '<time datetime="2024-02-29T17:30:00Z">5:30pm</time>';
    await succeed(alice.patch(`/messages/${id}`, { content: '<time:5:30pm>' }));
    expect((await newestOf(bob)).content).toBe(`<p>${time}</p>`);
    await setOldRendering(alice, id, '<p>old</p>');
    expect((await newestOf(bob)).content).toBe(`<p>${time}</p>`);
  });

  test('is found by the words that readers see', async () => {
    const { alice, bob } = await realm();
    await succeed(bob.post('/users/me/alert_words', { alert_words: ['lunch'] }));
    const listener = await bob.listen({ event_types: ['message'] });
    await tell(alice, [bob], 'see [lunch](https://example.org)');
    await tell(alice, [bob], 'see [this](https://example.org/lunch)');
    expect((await listener.hears()).map(({ flags }) => flags)).toEqual([['has_alert_word'], []]);
  });
});

describe('what is said of things', () => {
  test('a channel’s description is rendered, and shows nothing of what it links to', async () => {
    const { alice, owner } = await realm();
    const id = await createChannel(alice, 'lab', [alice], { description: '*for* https://example.org/a.png' });
    const html = '<p><em>for</em> <a href="https://example.org/a.png">https://example.org/a.png</a></p>';
    expect((await alice.get(`/streams/${id}`)).stream.rendered_description).toBe(html);
    const listener = await alice.listen({ event_types: ['stream'] });
    await succeed(owner.patch(`/streams/${id}`, { description: '**all**' }));
    const rendered_description = '<p><strong>all</strong></p>';
    expect(await listener.hears()).toMatchObject([{ property: 'description', rendered_description }]);
    expect((await alice.get(`/streams/${id}`)).stream.rendered_description).toBe(rendered_description);
  });

  test('descriptions of folders, of the organization and of people are rendered as well', async () => {
    const { owner, alice } = await realm();
    const { channel_folder_id } = await succeed(
      owner.post('/channel_folders/create', { name: 'Work', description: '*hard*' }),
    );
    const { channel_folders } = await owner.get('/channel_folders');
    expect(channel_folders).toMatchObject([
      { id: channel_folder_id, rendered_description: '<p><em>hard</em></p>' },
    ]);
    await succeed(owner.patch('/realm', { description: '~~us~~' }));
    expect((await owner.get('/server_settings')).realm_description).toBe('<p><del>us</del></p>');
    const field = await succeed(owner.post('/realm/profile_fields', { name: 'Motto', field_type: 2 }));
    await succeed(alice.patch('/users/me/profile_data', { data: [{ id: field.id, value: '*go*' }] }));
    const { user } = await owner.get(`/users/${alice.id}`, { include_custom_profile_fields: true });
    expect(user.profile_data[field.id]).toMatchObject({ rendered_value: '<p><em>go</em></p>' });
  });

  test('a notice names topics as links', async () => {
    const { alice } = await realm();
    const id = await emptyChannel(alice, 'lab');
    const moved = await say(alice, id, 'here');
    await succeed(
      alice.patch(`/messages/${moved}`, { topic: 'there', send_notification_to_old_thread: true }),
    );
    expect((await newestOf(alice)).content).toContain(`<a class="stream-topic" data-stream-id="${id}"`);
  });
});

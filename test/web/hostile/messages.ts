import { connectSql } from '@parley/db';

import type { DemoCluster } from '../../support/demo-cluster.ts';
import { svg } from './organization.ts';
import { canary } from './payloads.ts';
import type { Attackers, Putting } from './put.ts';

const topic = 'hostile';

interface Sent {
  id: number;
}

/** Messages in a topic of their own and to the owner, topics with hostile names, answers to polls, reports, edits. */
export async function attackByMessages(
  putting: Putting,
  { owner, member }: Attackers,
  ownerId: number,
): Promise<void> {
  const { put, one, corpus } = putting;
  const say = (to: string, where: string, content: string) =>
    member.post<Sent>('/messages', { type: 'channel', to, topic: where, content });
  await put('topic', 60, (text) => say('general', text, 'Here.'));
  await put('message', 9000, (content) => say('general', topic, content));
  for (const content of corpus.markdownFor('markdown')) {
    await one('markdown', () => say('general', topic, content));
  }
  await put('direct message', 9000, (content) =>
    member.post('/messages', { type: 'direct', to: [ownerId], content }),
  );
  await put('channel message', 9000, (content) =>
    owner.post('/messages', { type: 'channel', to: 'random', topic, content }),
  );
  await put('edit', 9000, async (content) => {
    const { id } = await say('general', topic, 'Before.');
    await member.patch(`/messages/${id}`, { content });
  });
  const { id: poll } = await say('general', topic, '/poll A question\nfirst\nsecond');
  await put('answer to a poll', 900, (option, idx) =>
    member.post('/submessage', {
      message_id: poll,
      msg_type: 'widget',
      content: JSON.stringify({ type: 'new_option', idx, option }),
    }),
  );
  await put('change of a poll', 900, (question) =>
    member.post('/submessage', {
      message_id: poll,
      msg_type: 'widget',
      content: JSON.stringify({ type: 'question', question }),
    }),
  );
  await put('widget', 900, (text) =>
    member.post('/messages', {
      type: 'channel',
      to: 'general',
      topic,
      content: 'A widget.',
      widget_content: JSON.stringify({
        widget_type: 'poll',
        extra_data: { question: text, options: [text] },
      }),
    }),
  );
  await put('emoji of a reaction', 60, (emoji_name) =>
    member.post(`/messages/${poll}/reactions`, { emoji_name }),
  );
  await put('reminder', 900, (note) =>
    owner.post('/reminders', {
      message_id: poll,
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600,
      note,
    }),
  );
  await say('general', '<b>"moved', `#**general>${topic}**`);
}

/** Pages to which a message links, with the preview that a worker would have made of what they say. */
export async function attackByPreviews(
  { put, corpus }: Putting,
  { owner, member }: Attackers,
  { cluster }: DemoCluster,
) {
  await owner.patch('/realm', { inline_url_embed_preview: true });
  const sql = connectSql({ url: cluster.postgres.url, name: 'previews', max: 1 });
  try {
    await put('link preview', 900, async (title, index) => {
      const url = `https://previews.example/${index}`;
      const image = `https://ex.example/"); background: url(//${canary}/ran/${corpus.number('picture of a preview')}`;
      const facts = { kind: 'page', title, description: title, image };
      await sql`insert into link_previews (realm_id, url, facts, fresh_until)
        select id, ${url}, ${sql.json(facts)}, now() + interval '1 hour' from realms where name = 'demo'`;
      await member.post('/messages', { type: 'channel', to: 'general', topic, content: url });
    });
  } finally {
    await sql.end();
  }
}

/** Files that run scripts where a browser shows them as what they are not. Answers with their addresses. */
export async function attackByFiles(
  { put, one, corpus }: Putting,
  { member, owner }: Attackers,
): Promise<string[]> {
  const uploaded: string[] = [];
  async function send(content: string, name: string, type: string): Promise<void> {
    const { url } = await member.upload<{ url: string }>(
      '/user_uploads',
      new File([content], name, { type }),
    );
    uploaded.push(url);
    await member.post('/messages', { type: 'channel', to: 'general', topic, content: `[${name}](${url})` });
  }
  for (const [name, type, write] of files) {
    await one('file', () => send(write(corpus.number(`file ${name} as ${type}`)), name, type));
  }
  await put('file name', 90, (name) => send('A text.', `${name}.png`, 'image/png'));
  for (const path of ['/users/me/avatar', '/realm/icon', '/realm/logo?night=false']) {
    const content = svg(corpus.number(path));
    await one(path, () => owner.upload(path, new File([content], 'a.svg', { type: 'image/svg+xml' })));
  }
  return uploaded;
}

const html = (id: number) => `<!doctype html><script>alert(${id})</script><img src=x onerror=alert(${id})>`;

const files: readonly [string, string, (id: number) => string][] = [
  ['page.html', 'text/html', html],
  ['page.html', 'image/png', html],
  ['page.png', 'text/html', html],
  [
    'page.xhtml',
    'application/xhtml+xml',
    (id) => `<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(${id})</script></html>`,
  ],
  [
    'page.xml',
    'text/xml',
    (id) => `<?xml version="1.0"?><x><script xmlns="http://www.w3.org/1999/xhtml">alert(${id})</script></x>`,
  ],
  ['picture.svg', 'image/svg+xml', svg],
  ['picture.svg', 'image/png', svg],
  ['picture.png', 'image/svg+xml', svg],
  ['both.gif', 'image/gif', (id) => `GIF89a/*<html><script>*/=alert(${id})//</script>`],
  ['both.jpg', 'image/jpeg', (id) => `\u00ff\u00d8\u00ff\u00e0${html(id)}`],
  [
    'both.pdf',
    'application/pdf',
    (id) => `%PDF-1.4\n${html(id)}\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(${id}))>>>>endobj`,
  ],
  ['script.js', 'text/javascript', (id) => `alert(${id})`],
  ['text.txt', 'text/plain', html],
  ['nothing', '', html],
  ['odd', 'text/html; charset=utf-7', (id) => `+ADw-script+AD4-alert(${id})+ADw-/script+AD4-`],
  ['mail.mhtml', 'multipart/related', html],
  ['film.mp4', 'video/mp4', html],
];

import type { Attackers, Putting } from './put.ts';

interface ProfileField {
  id: number;
}

/** What any member writes about themselves and keeps for themselves. */
export async function attackAsMember(
  { put, one, corpus }: Putting,
  { owner, member }: Attackers,
): Promise<void> {
  const { custom_fields: fields } = await member.get<{ custom_fields: ProfileField[] }>(
    '/realm/profile_fields',
  );
  for (const { id } of fields) {
    const [text = ''] = corpus.textsFor('profile value', 45);
    const address = `javascript:alert(${corpus.number('profile address')})`;
    for (const value of [text, address, 'a']) {
      await one('profile value', () => member.patch('/users/me/profile_data', { data: [{ id, value }] }));
    }
  }
  const inAnHour = Math.floor(Date.now() / 1000) + 3600;
  await put('snippet', 60, (text) => owner.post('/saved_snippets', { title: text, content: text }));
  await put('draft', 2000, (content) =>
    owner.post('/drafts', { drafts: [{ ...draft, content, topic: content.slice(0, 60) }] }),
  );
  await put('scheduled message', 2000, (content) =>
    owner.post('/scheduled_messages', {
      type: 'direct',
      to: [1],
      content,
      scheduled_delivery_timestamp: inAnHour,
    }),
  );
  await put('alert word', 90, (word) => owner.post('/users/me/alert_words', { alert_words: [word] }));
  await put('saved view', 60, (name, index) =>
    owner.post('/navigation_views', { fragment: `narrow/x${index}`, name, is_pinned: true }),
  );
  await put('saved view address', 60, (fragment) =>
    owner.post('/navigation_views', { fragment, name: 'x', is_pinned: true }),
  );
  await put('status', 60, (status_text) => member.post('/users/me/status', { status_text }));
  await put('full name', 90, (full_name) => member.patch('/settings', { full_name }));
}

const draft = { type: 'private', to: [], topic: '', timestamp: 1_700_000_000 };

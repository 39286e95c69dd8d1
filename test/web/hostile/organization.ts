import { picture } from '../../support/http.ts';
import type { Attackers, Putting } from './put.ts';

/** Names, descriptions and settings of the organization and of all that administrators make. */
export async function attackOrganization({ put, one, corpus }: Putting, { owner }: Attackers): Promise<void> {
  await put('folder', 60, (name) => owner.post('/channel_folders/create', { name, description: name }));
  const { channel_folders: folders } = await owner.get<{ channel_folders: { id: number }[] }>(
    '/channel_folders',
  );
  await put('channel', 60, (name, index) =>
    owner.post('/users/me/subscriptions', {
      subscriptions: [
        { name, description: corpus.textsFor('channel description', 80).join(' ').slice(0, 1000) },
      ],
      principals: ['alice@demo.example', 'olivia@demo.example'],
      folder_id: folders[index]?.id,
    }),
  );
  await put('user group', 90, (name) =>
    owner.post('/user_groups/create', { name, description: name, members: [] }),
  );
  await put('linkifier pattern', 200, (text) =>
    owner.post('/realm/filters', {
      pattern: `${text}(?P<id>[0-9]+)`,
      url_template: 'https://ex.example/{id}',
    }),
  );
  await put('linkifier address', 200, (text, index) =>
    owner.post('/realm/filters', { pattern: `hostile${index}-(?P<id>.+)`, url_template: `${text}{id}` }),
  );
  await one('linkifier', () =>
    owner.post('/realm/filters', { pattern: 'hostile-(?P<id>.+)', url_template: 'https://ex.example/{+id}' }),
  );
  await put('playground', 40, (name) =>
    owner.post('/realm/playgrounds', { name, pygments_language: 'python', url_template: `${name}{code}` }),
  );
  await put('emoji name', 60, (name) =>
    owner.upload(`/realm/emoji/${encodeURIComponent(name)}`, new File([new Uint8Array(picture)], 'x.png')),
  );
  await one('emoji picture', () =>
    owner.upload('/realm/emoji/hostile', new File([svg(corpus.number('emoji picture'))], 'x.svg')),
  );
  await put('default channels', 60, (name) =>
    owner.post('/default_stream_groups/create', {
      group_name: name,
      description: name,
      stream_names: ['random'],
    }),
  );
  await put('bot', 90, (full_name, index) => owner.post('/bots', { full_name, short_name: `bot${index}` }));
  await put('bot address', 90, (url, index) =>
    owner.post('/bots', {
      full_name: `Hook ${index}`,
      short_name: `hook${index}`,
      bot_type: 3,
      payload_url: url,
    }),
  );
  await put('invitation', 200, (text) =>
    owner.post('/invites', { invitee_emails: `${text.replaceAll(/[,\s]/g, '')}@ex.example`, stream_ids: [] }),
  );
  await put('domain', 60, (domain) => owner.post('/realm/domains', { domain, allow_subdomains: false }));
  await put('account', 90, (full_name, index) =>
    owner.post('/users', {
      full_name,
      email: `hostile${index}@demo.example`,
      password: 'parley-demo-long-one',
    }),
  );
  for (const [field_type, field_data] of fieldTypes) {
    await put(`profile field ${field_type}`, 40, (name) =>
      owner.post('/realm/profile_fields', {
        field_type,
        name,
        hint: name,
        field_data: field_data(name),
      }),
    );
  }
  await put('organization description', 900, (description) => owner.patch('/realm', { description }));
  await put('organization name', 40, (name) => owner.patch('/realm', { name }));
  await put('welcome message', 900, (text) => owner.patch('/realm', { welcome_message_custom_text: text }));
}

/** Types of profile fields that have different pages, and what else the field says. */
const fieldTypes: readonly [number, (text: string) => unknown][] = [
  [1, () => undefined],
  [3, (text) => ({ a: { text, order: '1' } })],
  [5, () => undefined],
  [7, (text) => ({ subtype: 'custom', url_pattern: `https://ex.example/${text}%(username)s` })],
];

export const svg = (id: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(${id})"><script>alert(${id})</script></svg>`;

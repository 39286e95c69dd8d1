import {
  type Json,
  type Params,
  type Person,
  type TestRealm,
  getWorld,
  inSeconds,
  linkTo,
  realm,
  say,
  subscribe,
  succeed,
  tell,
  text,
  upload,
  uploadEmoji,
} from '../../support/index.ts';

/** Returns a realm that has rows in every table of an archive. */
export async function furnishedRealm(): Promise<TestRealm> {
  const people = await realm();
  const { alice, bob } = people;
  await subscribe(alice, 'news', [alice, bob]);
  const { stream_id: channelId } = await succeed(alice.get('/get_stream_id', { stream: 'news' }));
  await furnishOrganization(people);
  const file = linkTo(await upload(alice, text('a file')));
  const first = await say(alice, 'news', 'tea', 'first');
  await say(alice, 'news', 'tea', `see ${file} and **this**, @**Bob** in #**news>tea**`);
  const poll = await say(alice, 'news', 'tea', '/poll Tea?\nyes\nno');
  await tell(alice, [bob], 'hello');
  const option = JSON.stringify({ type: 'new_option', idx: 1, option: 'maybe' });
  await furnishMessages(people, first, poll, option);
  await furnishPersonal(people, channelId, first, file);
  const { sql } = await getWorld();
  const facts = {
    kind: 'page',
    title: 'A page',
    description: 'of text',
    image: 'https://page.example/a.png',
  };
  await sql`insert into link_previews (realm_id, url, facts, fresh_until)
    values (${people.realm.id}, 'https://page.example/', ${JSON.stringify(facts)}::text::jsonb, now())`;
  return people;
}

const posts = (by: Person, all: readonly (readonly [string, Params?])[]) =>
  inTurn(all, ([path, params]) => by.post(path, params));

async function inTurn<Item>(items: readonly Item[], run: (item: Item) => Promise<Json>): Promise<void> {
  for (const item of items) await succeed(run(item));
}

async function furnishOrganization(people: TestRealm): Promise<void> {
  const { owner, alice, bob } = people;
  const emoji = await uploadEmoji(people, 'tea');
  await posts(owner, [
    ['/channel_folders/create', { name: 'All', description: 'of *them*' }],
    ['/default_stream_groups/create', { group_name: 'first', description: '', stream_names: ['news'] }],
    ['/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example/{id}' }],
    [
      '/realm/playgrounds',
      { name: 'Try', pygments_language: 'Rust', url_template: 'https://try.example/{code}' },
    ],
    ['/realm/domains', { domain: 'people.example', allow_subdomains: true }],
    ['/user_groups/create', { name: 'makers', description: 'they make', members: [alice.id, bob.id] }],
    [
      '/bots',
      { full_name: 'Hook', short_name: 'hook', bot_type: 3, payload_url: '"https://bots.example/hook"' },
    ],
  ]);
  const { id: group } = await succeed(
    owner.post('/user_groups/create', { name: 'all makers', description: '', members: [] }),
  );
  const { user_groups: groups } = await succeed(owner.get('/user_groups'));
  const makers = groups.find(({ name }: Json) => name === 'makers').id;
  await succeed(
    owner.post(
      `/user_groups/${group ?? groups.find(({ name }: Json) => name === 'all makers').id}/subgroups`,
      { add: [makers] },
    ),
  );
  const { id: field } = await succeed(owner.post('/realm/profile_fields', { name: 'About', field_type: 2 }));
  const { id: mentor } = await succeed(
    owner.post('/realm/profile_fields', { name: 'Mentor', field_type: 6 }),
  );
  const data = [
    { id: field, value: 'I **am**' },
    { id: mentor, value: [bob.id] },
  ];
  await succeed(alice.patch('/users/me/profile_data', { data }));
  await succeed(
    alice.post('/users/me/status', {
      status_text: 'here',
      emoji_name: 'tea',
      emoji_code: String(emoji),
      reaction_type: 'realm_emoji',
    }),
  );
  await succeed(owner.post('/invites', { invitee_emails: 'new@people.example', stream_ids: [] }));
}

async function furnishMessages(
  { alice, bob }: TestRealm,
  first: number,
  poll: number,
  option: string,
): Promise<void> {
  await succeed(alice.patch(`/messages/${first}`, { content: 'first, *edited*' }));
  await succeed(alice.patch(`/messages/${first}`, { topic: 'coffee' }));
  await posts(bob, [
    [`/messages/${first}/reactions`, { emoji_name: 'heart' }],
    ['/messages/flags', { messages: [first], op: 'add', flag: 'starred' }],
  ]);
  await succeed(alice.post('/submessage', { message_id: poll, msg_type: 'widget', content: option }));
}

async function furnishPersonal(
  { alice, bob, bot }: TestRealm,
  channelId: number,
  messageId: number,
  file: string,
): Promise<void> {
  const later = inSeconds(86_400);
  await posts(alice, [
    ['/users/me/alert_words', { alert_words: ['tea'] }],
    [`/users/me/muted_users/${bob.id}`],
    ['/user_topics', { stream_id: channelId, topic: 'tea', visibility_policy: 3 }],
    ['/users/me/presence', { status: 'active' }],
    ['/drafts', { drafts: [{ type: 'stream', to: [channelId], topic: 'tea', content: 'not yet' }] }],
    ['/drafts', { drafts: [{ type: 'private', to: [bob.id], topic: '', content: 'not yet' }] }],
    ['/saved_snippets', { title: 'bye', content: 'see you' }],
    ['/navigation_views', { fragment: 'narrow/is/starred', is_pinned: true }],
    ['/users/me/onboarding_steps', { onboarding_step: 'intro_inbox_view_modal' }],
    [
      '/scheduled_messages',
      {
        type: 'channel',
        to: channelId,
        topic: 'tea',
        content: `later ${file}`,
        scheduled_delivery_timestamp: later,
      },
    ],
    ['/reminders', { message_id: messageId, scheduled_delivery_timestamp: later, note: 'read **it**' }],
  ]);
  await succeed(bot.ask('PUT', '/bot_storage', { storage: { 'a key': 'a value' } }).then(({ body }) => body));
}

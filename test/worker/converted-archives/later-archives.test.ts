import { messages } from '@parley/actions';
import { afterAll, describe, expect, test } from 'vitest';

import type { ExportFiles } from '../../import-archives/slack-small.ts';
import { type Json, getWorld, parleyJson, tell, withProcesses } from '../../support/index.ts';
import { createChannel, exportWithMore, inChannel, livingRealm, openSlackArchives, read } from './living.ts';

const archives = await openSlackArchives();
afterAll(() => archives[Symbol.asyncDispose]());
const { archive, downloads, importInto } = archives;

/** What another server of the same people has, in the same time. */
const mattermostLines = [
  { type: 'version', version: 1 },
  { type: 'team', team: { name: 'acme', display_name: 'Acme', type: 'O' } },
  { type: 'channel', channel: { team: 'acme', name: 'elsewhere', display_name: 'Elsewhere', type: 'O' } },
  {
    type: 'user',
    user: {
      username: 'olivia',
      email: 'olivia@acme.example',
      roles: 'system_user',
      teams: [{ name: 'acme', roles: 'team_user', channels: [{ name: 'elsewhere', roles: 'channel_user' }] }],
    },
  },
  { type: 'user', user: { username: 'bob', email: 'bob@acme.example', roles: 'system_user' } },
  { type: 'direct_channel', direct_channel: { members: ['olivia', 'bob'] } },
  {
    type: 'direct_post',
    direct_post: {
      channel_members: ['olivia', 'bob'],
      user: 'bob',
      message: 'elsewhere, too',
      create_at: 1_700_000_014_500,
    },
  },
  ...['from elsewhere', 'and more'].map((message, index) => ({
    type: 'post',
    post: {
      team: 'acme',
      channel: 'elsewhere',
      user: 'olivia',
      message,
      create_at: 1_700_000_003_500 + index,
    },
  })),
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

describe('a later archive of the same source', withProcesses, () => {
  test('adds what it has more, and the same one changes nothing', async () => {
    const home = await livingRealm();
    const { alice, bob } = home;
    const first = await importInto(home);
    const written = await bob.post('/messages', { type: 'direct', to: [alice.id], content: 'in between' });
    expect(await importInto(home)).toMatchObject({
      into: { is_done: true, messages: { here: 21, created: 0 } },
    });
    const file = await archives.withMore('general', 'D1');
    const plan = await importInto(home, file, ['--plan']);
    const more = await importInto(home, file);
    for (const { into } of [plan, more]) {
      expect(into).toMatchObject({
        is_done: false,
        people: { here: 12, created: 0 },
        channels: { here: 3, created: 0 },
        emoji: { here: 1, created: 0 },
        messages: { here: 21, created: 2 },
      });
    }
    expect(first.into.messages.created).toBe(21);
    const all = await read(alice, []);
    const contents = all.map(({ content }) => content);
    expect(new Set(contents.slice(-3))).toEqual(new Set(['in between', 'later in D1', 'later in general']));
    expect(contents.at(-1)).toBe('in between');
    expect(all.at(-1)?.id).toBe(written.id);
    expect(contents.filter((content) => content === 'Keep it')).toHaveLength(1);
  });

  test('finds a private channel that came under another name by what is in it', async () => {
    const home = await livingRealm();
    const { alice, carol } = home;
    await createChannel(carol, 'secret', true);
    await importInto(home);
    const again = await importInto(home, await archives.withMore('secret'));
    expect(again.into).toMatchObject({ renamed_channels: [], channels: { here: 3, created: 0 } });
    expect((await read(alice, inChannel('secret (imported)'))).map(({ content }) => content)).toEqual([
      'Keep it',
      'later in secret',
    ]);
  });

  test('brings back nobody who has left a channel since, and no message that was deleted', async () => {
    const home = await livingRealm();
    const { alice, owner } = home;
    await importInto(home);
    await alice.delete('/users/me/subscriptions', { subscriptions: ['general'] });
    const [gone] = await read(alice, [{ operator: 'search', operand: 'harbour' }]);
    expect(await owner.delete(`/messages/${gone?.id}`)).toMatchObject({ result: 'success' });
    await importInto(home, await archives.withMore('general'));
    const { subscriptions } = await alice.get('/users/me/subscriptions');
    expect(subscriptions.map(({ name }: Json) => name)).not.toContain('general');
    expect(await read(alice, [{ operator: 'search', operand: 'harbour' }])).toEqual([]);
    expect(await read(alice, [{ operator: 'search', operand: '"later in general"' }])).toHaveLength(1);
  });

  test('comes into an organization that the first one has become', async () => {
    const name = `slack${Date.now() % 1_000_000}`;
    const env = { UPLOADS_DIR: (await getWorld()).uploads };
    await parleyJson(['import', archive, '--name', name, '--files', downloads], { env });
    const file = await archives.withMore('general');
    const { into } = await parleyJson<Json>(['import', file, '--into', name, '--files', downloads], { env });
    expect(into).toMatchObject({ people: { created: 0 }, messages: { here: 21, created: 1 } });
  });

  test('changes what its source has changed and deletes what it has deleted, but not what was edited here', async () => {
    const home = await livingRealm();
    const { alice, owner } = home;
    await importInto(home);
    const other = await archives.write('other.jsonl', mattermostLines);
    expect((await importInto(home, other)).into.messages).toMatchObject({ created: 3, removed: 0 });
    expect(await owner.patch('/realm', { message_content_edit_limit_seconds: '"unlimited"' })).toMatchObject({
      result: 'success',
    });
    const [kept] = await read(alice, [{ operator: 'search', operand: '"Keep it"' }]);
    expect(await alice.patch(`/messages/${kept?.id}`, { content: 'Kept here' })).toMatchObject({
      result: 'success',
    });
    const ear = await alice.listen({ event_types: ['message', 'update_message', 'delete_message'] });
    const changed = JSON.parse(
      JSON.stringify(exportWithMore('general'))
        .replace('At the harbour', 'At the *lake*')
        .replace('"text":"Keep it"', '"text":"Keep it there"'),
    ) as ExportFiles;
    const day = changed['general/2023-11-14.json'] as { text: string }[];
    changed['general/2023-11-14.json'] = day.filter(({ text }) => text !== 'Again');
    const file = await archives.archiveOf(changed);
    const { into } = await importInto(home, file);
    expect(into.messages).toEqual({
      here: 20,
      created: 1,
      changed: 1,
      removed: 1,
      kept_as_edited: 1,
      reacted: 0,
    });
    const heard = (await ear.hears()).map(({ type, rendering_only, content }) => [
      type,
      rendering_only,
      content,
    ]);
    expect(heard).toEqual([
      ['delete_message', undefined, undefined],
      ['update_message', false, 'At the **lake**'],
    ]);
    const texts = (await read(alice, [])).map(({ content }) => content);
    expect(texts).toEqual(expect.arrayContaining(['At the **lake**', 'Kept here', 'later in general']));
    for (const gone of ['Again', 'At the harbour', 'Keep it there']) expect(texts).not.toContain(gone);
    // The other source has these still.
    expect(texts).toContain('elsewhere, too');
    expect((await read(alice, inChannel('Elsewhere'))).map(({ content }) => content)).toEqual([
      'from elsewhere',
      'and more',
    ]);
  });

  test('gives no text to a message that somebody has edited meanwhile', async () => {
    const { alice, bob, realm: home } = await livingRealm();
    const id = await tell(alice, [bob], 'as it came');
    const { engine } = await getWorld();
    const change = { realm: home, id, expected: 'as it was', content: 'as it is there' };
    const { isDone } = await engine.perform(home.id, messages.followSource, change);
    expect(isDone).toBe(false);
    expect((await read(bob, [])).map(({ content }) => content)).toEqual(['as it came']);
  });
});

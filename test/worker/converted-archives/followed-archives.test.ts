import { afterAll, describe, expect, test } from 'vitest';

import { type ExportFiles, smallSlackExport } from '../../import-archives/slack-small.ts';
import { type Json, getWorld, interrupt, withProcesses } from '../../support/index.ts';
import { inChannel, livingRealm, openSlackArchives, read } from './living.ts';

const archives = await openSlackArchives();
afterAll(() => archives[Symbol.asyncDispose]());
const { importInto } = archives;

const day = 'general/2023-11-14.json';
const harbour = 'At the harbour';
const lunch = 'Where do we have lunch on Friday';
const thread = '1700000002.000100';

/** The export as it is later, with messages of the first day changed and others added. */
function later(change: (message: Json) => Json, more: Json[] = []): Promise<string> {
  const files = structuredClone(smallSlackExport()) as ExportFiles & Record<string, Json[]>;
  files[day] = (files[day] as Json[]).map(change);
  files['general/2024-01-01.json'] = more;
  return archives.archiveOf(files);
}

const reply = (text: string, second: number): Json => ({
  type: 'message',
  user: 'U1',
  ts: `170410000${second}.000100`,
  text,
  thread_ts: thread,
});

const topicsOf = async (person: Parameters<typeof read>[0], ...texts: string[]): Promise<string[]> => {
  const all = await read(person, inChannel('general'));
  return texts.map((text) => all.find(({ content }) => content === text)?.subject);
};

describe('a thread of a later archive', withProcesses, () => {
  test('goes on in the topic that somebody has renamed here', async () => {
    const home = await livingRealm();
    const { alice, owner } = home;
    await importInto(home);
    const [first] = (await read(alice, inChannel('general'))).filter(({ content }) => content === harbour);
    const topic = 'Lunch by the water';
    const edited = await owner.patch(`/messages/${first?.id}`, { topic, propagate_mode: 'change_all' });
    expect(edited).toMatchObject({ result: 'success' });
    await importInto(home, await later((message) => message, [reply('I come', 1)]));
    expect(await topicsOf(alice, harbour, 'I come')).toEqual([topic, topic]);
  });

  test('goes on in its topic when its first message has been edited at the source', async () => {
    const home = await livingRealm();
    const { alice } = home;
    await importInto(home);
    const [topic] = await topicsOf(alice, harbour);
    expect(topic).toContain(lunch);
    const text = 'Who comes along for lunch?';
    const change = (message: Json) => (message.ts === thread ? { ...message, text } : message);
    await importInto(home, await later(change, [reply('I come', 1)]));
    expect(await topicsOf(alice, text, harbour, 'I come')).toEqual([topic, topic, topic]);
  });

  test('goes on under its own name when it has been moved to another channel here', async () => {
    const home = await livingRealm();
    const { alice, owner } = home;
    await importInto(home);
    const [topic] = await topicsOf(alice, harbour);
    const [first] = (await read(alice, inChannel('general'))).filter(({ content }) => content === harbour);
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'elsewhere' }] });
    const { stream_id: id } = await owner.get('/get_stream_id', { stream: 'elsewhere' });
    const moved = await owner.patch(`/messages/${first?.id}`, {
      stream_id: id,
      propagate_mode: 'change_all',
      topic: 'moved',
    });
    expect(moved).toMatchObject({ result: 'success' });
    await importInto(home, await later((message) => message, [reply('I come', 1)]));
    expect(await topicsOf(alice, 'I come')).toEqual([topic]);
    expect((await read(owner, inChannel('elsewhere'))).map(({ content }) => content)).toContain(harbour);
  });
});

describe('a reaction of a later archive', withProcesses, () => {
  const quoted = '1700000001.000100';
  const greeting = '1700000000.000100';
  const reactedTo = (changes: Record<string, Json[]>) => (message: Json) =>
    message.ts in changes ? { ...message, reactions: changes[message.ts] } : message;
  const names = async (person: Parameters<typeof read>[0], text: string) => {
    const all = await read(person, inChannel('general'));
    const found = all.find(({ content }) => content.includes(text));
    return found?.reactions.map(({ emoji_name: name }: Json) => name).sort();
  };

  test('comes and goes as at the source, and clients hear of it', async () => {
    const home = await livingRealm();
    const { alice } = home;
    await importInto(home);
    expect(await names(alice, '**bold**')).toEqual(['+1', '+1', 'party', 'rocket']);
    const ear = await alice.listen({ event_types: ['reaction'] });
    const archive = await later(
      reactedTo({
        [quoted]: [
          { name: 'tada', users: ['U1'], count: 1 },
          { name: 'thumbsup', users: ['U3'], count: 1 },
        ],
        [greeting]: [{ name: 'heart', users: ['U2', 'U3'], count: 2 }],
      }),
    );
    expect((await importInto(home, archive)).into.messages).toMatchObject({ changed: 0, reacted: 2 });
    expect(await names(alice, '**bold**')).toEqual(['+1', 'tada']);
    expect(await names(alice, 'Hello')).toEqual(['heart', 'heart']);
    const heard = (await ear.hears()).map(({ op, emoji_name: name }) => `${op} ${name}`).sort();
    expect(heard).toEqual([
      'add heart',
      'add heart',
      'add tada',
      'remove +1',
      'remove party',
      'remove rocket',
    ]);
    const back = await importInto(home, await later((message) => message, [reply('I come', 1)]));
    expect(back.into.messages).toMatchObject({ created: 1, reacted: 2 });
    expect(await names(alice, '**bold**')).toEqual(['+1', '+1', 'party', 'rocket']);
    expect(await names(alice, 'Hello')).toEqual([]);
  });

  test('takes away none from a message to which somebody has reacted here, and brings back none that was taken away', async () => {
    const home = await livingRealm();
    const { alice, bob } = home;
    await importInto(home);
    const idOf = async (text: string) =>
      (await read(alice, inChannel('general'))).find(({ content }) => content.includes(text))?.id;
    await bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
    const bold = await idOf('**bold**');
    expect(await bob.post(`/messages/${bold}/reactions`, { emoji_name: 'octopus' })).toMatchObject({
      result: 'success',
    });
    expect(await alice.delete(`/messages/${bold}/reactions`, { emoji_name: '+1' })).toMatchObject({
      result: 'success',
    });
    const more = { [greeting]: [{ name: 'heart', users: ['U2'], count: 1 }] };
    expect((await importInto(home, await later(reactedTo(more)))).into.messages).toMatchObject({
      reacted: 1,
    });
    expect(await names(alice, '**bold**')).toEqual(['+1', 'octopus', 'party', 'rocket']);
    const gone = { ...more, [quoted]: [{ name: 'tada', users: ['U2'], count: 1 }] };
    expect((await importInto(home, await later(reactedTo(gone)))).into.messages).toMatchObject({
      reacted: 1,
    });
    expect(await names(alice, '**bold**')).toEqual(['+1', 'octopus', 'party', 'rocket', 'tada']);
  });

  test('comes and goes as at the source also when the import is interrupted at any of them', async () => {
    const home = await livingRealm();
    const { alice, realm } = home;
    await importInto(home);
    const { sql } = await getWorld();
    const archive = await later(reactedTo({ [quoted]: [{ name: 'tada', users: ['U1'], count: 1 }] }));
    // What is done first is what is added, so that a removal is interrupted each time.
    for (const name of ['+1', 'party', 'rocket']) {
      const condition = `old.realm_id = ${realm.id} and old.emoji_name = '${name}'`;
      await using _ = await interrupt(sql, { table: 'reactions', change: 'delete', condition });
      await expect(importInto(home, archive)).rejects.toThrow('interrupted on purpose');
    }
    await importInto(home, archive);
    expect(await names(alice, '**bold**')).toEqual(['tada']);
  });

  test('follows where what came was not recorded, and nothing is taken away there', async () => {
    const home = await livingRealm();
    const { alice, realm } = home;
    await importInto(home);
    const { sql } = await getWorld();
    await sql`update imported_messages set reactions_hash = null where realm_id = ${realm.id}`;
    const archive = await later(reactedTo({ [quoted]: [{ name: 'tada', users: ['U2'], count: 1 }] }));
    expect((await importInto(home, archive)).into.messages).toMatchObject({ reacted: 1 });
    expect(await names(alice, '**bold**')).toEqual(['+1', '+1', 'party', 'rocket', 'tada']);
  });
});

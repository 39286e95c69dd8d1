import type { State } from '@parley/client';
import { afterAll, describe, expect, test } from 'vitest';

import { asFollowed, follow, shown } from '../../events/follower/index.ts';
import { type ExportFiles, smallSlackExport } from '../../import-archives/slack-small.ts';
import { type Json, type Person, type TestRealm, withProcesses } from '../../support/index.ts';
import { createChannel, livingRealm, openSlackArchives } from './living.ts';

const archives = await openSlackArchives();
afterAll(() => archives[Symbol.asyncDispose]());
const { archiveOf, importInto } = archives;

const firstDay = 'general/2023-11-14.json';
/** Of an organization that was founded here. */
const firstWritten = 1_000_000_000;

const viewers = ['owner', 'alice', 'bob', 'guest', 'bot'] as const;

/** Starts a client for each, of the newest kind or of the oldest. */
const startAll = async (people: TestRealm) =>
  await Promise.all(
    viewers.map(async (name, index) => ({
      name,
      follower: await follow(people[name], index % 2 === 0 ? 'modern' : 'oldest'),
    })),
  );

/** Most that is written meanwhile: the import has a lower priority than those who serve what is written. */
const writtenMax = 40;

/** Writes to people of all kinds, and reads some of it, until an import has ended or enough is written. */
async function writeMeanwhile(people: TestRealm, importing: Promise<unknown>): Promise<number> {
  const over = new AbortController();
  const imported = importing.finally(() => over.abort());
  let sent = 0;
  const writers: Person[] = [people.alice, people.bob, people.carol];
  while (!over.signal.aborted && sent < writtenMax) {
    const [writer, reader] = [writers[sent % 3], writers[(sent + 1) % 3]];
    if (!writer || !reader) throw new Error('Nobody writes.');
    const to =
      sent % 2 === 0
        ? { type: 'channel', to: 'General', topic: `topic ${sent % 3}` }
        : { type: 'direct', to: [reader.id] };
    const { id } = await writer.post('/messages', { ...to, content: `number ${sent}` });
    if (sent % 4 === 0) await reader.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' });
    sent += 1;
  }
  await imported;
  return sent;
}

describe('while an archive comes into an organization', withProcesses, () => {
  test('clients that follow end where fresh ones start, but for the messages of the archive', async () => {
    const home = await livingRealm();
    await createChannel(home.alice, 'General', false);
    for (const one of [home.bob, home.carol]) {
      await one.post('/users/me/subscriptions', { subscriptions: [{ name: 'General' }] });
    }
    for (const file of [undefined, await changedArchive()]) {
      const following = await startAll(home);
      expect(await writeMeanwhile(home, importInto(home, file))).toBeGreaterThan(2);
      const fresh = await startAll(home);
      for (const [at, { name, follower }] of following.entries()) {
        await follower.catchUp();
        const started = fresh[at]?.follower.state;
        if (!started) throw new Error('Nobody has started.');
        const expected = asFollowed(heardOf(started, follower.state), follower.state);
        expect(shown(heardOf(follower.state, follower.state)), name).toEqual(expected);
      }
    }
  });
});

/** The archive as it is later: a text, reactions, one message more, and one that is gone. */
async function changedArchive(): Promise<string> {
  const files = structuredClone(smallSlackExport()) as ExportFiles & Record<string, Json[]>;
  const changes: Record<string, object> = {
    '1700000000.000100': { text: 'Hello <@U3>, all is new' },
    '1700000001.000100': { reactions: [{ name: 'tada', users: ['U1', 'U3'], count: 2 }] },
    '1700000011.000100': { reactions: [{ name: 'party', users: ['U2'], count: 1 }] },
  };
  const first = (files[firstDay] ?? []).filter(({ ts }) => ts !== '1700000010.000100');
  files[firstDay] = first.map((message) => ({ ...message, ...changes[message.ts] }));
  files['general/2024-01-01.json'] = [
    { type: 'message', user: 'U3', ts: '1704100000.000000', text: 'later' },
  ];
  return await archiveOf(files);
}

/** What a client holds but for messages that have come since it started: of these it hears nothing. */
function heardOf(state: State, followed: State): State {
  const isHeardOf = (id: number) => id >= firstWritten || followed.messages.has(id);
  return {
    ...state,
    messages: new Map([...state.messages].filter(([id]) => isHeardOf(id))),
    conversations: new Map([...state.conversations].filter(([, id]) => isHeardOf(id))),
  };
}

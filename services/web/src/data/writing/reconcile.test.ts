import { describe, expect, test } from 'vitest';

import { type Draft, type ServerDraft, fingerprint } from './draft.ts';
import { reconcile } from './reconcile.ts';

const target = { kind: 'channel', channelId: 3, topic: 'lunch' } as const;
const mine = (content: string, base: string | null, serverId: number | null = 7): Draft => ({
  id: 'mine',
  target,
  content,
  timestamp: 1,
  serverId,
  base: base === null ? null : fingerprint({ target, content: base }),
});
const theirs = (content: string): ReadonlyMap<number, ServerDraft> =>
  new Map([[7, { id: 7, type: 'stream', to: [3], topic: 'lunch', content, timestamp: 2 }]]);
const context = { writingId: null, isAwaited: () => false, newId: () => 'new' };
const texts = (drafts: readonly Draft[]) =>
  drafts.map(({ id, content, serverId }) => [id, content, serverId]);

describe('drafts of this browser and of the server', () => {
  test('a draft that the server has never seen stays', () => {
    expect(texts(reconcile([mine('a', null, null)], new Map(), context))).toEqual([['mine', 'a', null]]);
  });

  test('what was written elsewhere comes', () => {
    expect(texts(reconcile([], theirs('a'), context))).toEqual([['s7', 'a', 7]]);
    expect(texts(reconcile([mine('a', 'a')], theirs('b'), context))).toEqual([['mine', 'b', 7]]);
  });

  test('what is written here stays, as long as the server has what it had', () => {
    expect(texts(reconcile([mine('a and more', 'a')], theirs('a'), context))).toEqual([
      ['mine', 'a and more', 7],
    ]);
  });

  test('blanks around a text are no change, and stay where the writer put them', () => {
    expect(texts(reconcile([mine('a ', 'a')], theirs('a'), context))).toEqual([['mine', 'a ', 7]]);
  });

  test('what both have changed becomes two', () => {
    expect(texts(reconcile([mine('here', 'a')], theirs('there'), context))).toEqual([
      ['new', 'here', null],
      ['mine', 'there', 7],
    ]);
    const writing = { ...context, writingId: 'mine' };
    expect(texts(reconcile([mine('here', 'a')], theirs('there'), writing))).toEqual([
      ['mine', 'here', null],
      ['s7', 'there', 7],
    ]);
  });

  test('what was deleted elsewhere goes, unless it is being written', () => {
    expect(reconcile([mine('a', 'a')], new Map(), context)).toEqual([]);
    expect(texts(reconcile([mine('a', 'a')], new Map(), { ...context, writingId: 'mine' }))).toEqual([
      ['mine', 'a', null],
    ]);
    expect(texts(reconcile([mine('more', 'a')], new Map(), context))).toEqual([['mine', 'more', null]]);
  });

  test('a draft that was saved just now stays until an event confirms it', () => {
    const awaiting = { ...context, isAwaited: () => true };
    expect(texts(reconcile([mine('b', 'b')], theirs('a'), awaiting))).toEqual([['mine', 'b', 7]]);
    expect(texts(reconcile([mine('b', 'b')], new Map(), awaiting))).toEqual([['mine', 'b', 7]]);
  });

  test('what another tab has saved is not listed twice', () => {
    expect(texts(reconcile([mine('a', null, null)], theirs('a'), context))).toEqual([['mine', 'a', 7]]);
    const twice = [mine('a', 'a'), { ...mine('a', 'a'), id: 's7' }];
    expect(texts(reconcile(twice, theirs('a'), context))).toEqual([['mine', 'a', 7]]);
    const awaiting = { ...context, isAwaited: () => true };
    expect(texts(reconcile(twice, theirs('a'), awaiting))).toEqual([['mine', 'a', 7]]);
  });

  test('doing it again changes nothing', () => {
    const once = reconcile([mine('here', 'a')], theirs('there'), context);
    const again = reconcile(once, theirs('there'), context);
    expect(again).toEqual(once);
    expect(again.every((draft, index) => draft === once[index])).toBe(true);
  });
});

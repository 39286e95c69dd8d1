import { describe, expect, test } from 'vitest';

import { type Draft, type ServerDraft, fingerprint, unsaved } from './draft.ts';
import { reconcile } from './reconcile.ts';

const target = { kind: 'channel', channelId: 3, topic: 'lunch' } as const;
const mine = (content: string, base: string | null, serverId: number | null = 7): Draft => ({
  id: 'mine',
  target,
  content,
  timestamp: 1,
  asked: null,
  serverId,
  base: base === null ? null : fingerprint({ target, content: base }),
});
const stored = (id: number, content: string, timestamp = 2): readonly [number, ServerDraft] => [
  id,
  { id, type: 'stream', to: [3], topic: 'lunch', content, timestamp },
];
const theirs = (content: string): ReadonlyMap<number, ServerDraft> => new Map([stored(7, content)]);
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

  test('what this page asked the server to create before it was loaded anew is its own, whatever was written since', () => {
    const asked = { text: fingerprint({ target, content: 'a' }), atMs: 0 };
    const kept = reconcile([{ ...mine('a and more', null, null), asked }], theirs('a'), context);
    expect(kept).toEqual([mine('a and more', 'a')]);
  });

  test('what was sent before this page knew that the server has it is found there, to be deleted', () => {
    const asked = { text: fingerprint({ target, content: 'a' }), atMs: 0 };
    expect(reconcile([{ ...mine('', null, null), asked }], theirs('a'), context)).toEqual([mine('', 'a')]);
    expect(reconcile([mine('', 'a')], theirs('a'), context)).toEqual([mine('', 'a')]);
    expect(reconcile([mine('', 'a')], new Map(), context)).toEqual([]);
  });

  test('what was created twice is the older one, for what is written here, too', () => {
    const twice = new Map([stored(9, 'a'), stored(7, 'a')]);
    expect(texts(reconcile([], twice, context))).toEqual([['s7', 'a', 7]]);
    const both = [{ ...mine('a', 'a'), id: 's7' }, mine('a and more', 'a', 9)];
    expect(texts(reconcile(both, twice, context))).toEqual([['mine', 'a and more', 7]]);
    const later = new Map([stored(7, 'a'), stored(9, 'a', 3)]);
    expect(reconcile([], later, context)).toHaveLength(2);
  });

  test('two that go on differently from one are both kept', () => {
    const both = [mine('here', 'a'), { ...mine('there', 'a'), id: 'other' }];
    const kept = reconcile(both, theirs('a'), context);
    expect(kept).toEqual([both[0], { ...both[1], ...unsaved }]);
  });

  test('doing it again changes nothing', () => {
    const once = reconcile([mine('here', 'a')], theirs('there'), context);
    const again = reconcile(once, theirs('there'), context);
    expect(again).toEqual(once);
    expect(again.every((draft, index) => draft === once[index])).toBe(true);
  });
});

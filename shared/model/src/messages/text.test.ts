import { ApiError, limits } from '@parley/protocol';
import fc from 'fast-check';
import { describe, test, expect } from 'vitest';

import { parseMessageContent, parseTopicName } from './text.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary', minLength: 50, maxLength: 70 }),
  fc
    .tuple(fc.constantFrom('a', '😀', 'é\u0301', '\ud83d'), fc.integer({ min: 9990, max: 10_010 }))
    .map(([one, count]) => one.repeat(count)),
);

/** The parsed text, or undefined if it was refused. Any other error is a bug. */
function parseOrRefuse(parse: (raw: string) => string, raw: string): string | undefined {
  try {
    return parse(raw);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

describe('content', () => {
  test('is never empty, never too long, and always something that Postgres stores', () => {
    fc.assert(
      fc.property(text, (raw) => {
        const content = parseOrRefuse(parseMessageContent, raw);
        if (content === undefined) return;
        expect([...content].length).toBeLessThanOrEqual(limits.messageLength);
        expect(content.trim()).not.toBe('');
        expect(content).not.toMatch(/\0|\p{Cs}/u);
        expect(content).not.toMatch(/^\n|\s$/);
      }),
    );
  });

  test('is left as it is when it is short enough and nothing stands around it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (raw) => {
        fc.pre(raw.trim() === raw && raw !== '');
        expect(parseMessageContent(raw)).toBe(raw);
      }),
    );
  });

  test('truncated content says so, and reading it again changes nothing', () => {
    const cut = parseMessageContent('x'.repeat(10_001));
    expect(cut).toHaveLength(10_000);
    expect(cut.endsWith('x\n[message truncated]')).toBe(true);
    expect(parseMessageContent(cut)).toBe(cut);
    expect([...parseMessageContent('😀'.repeat(10_001))]).toHaveLength(10_000);
    expect(parseMessageContent('😀'.repeat(10_000))).toBe('😀'.repeat(10_000));
  });
});

describe('a topic', () => {
  test('is never too long, has nothing around it, and holds only what can be read', () => {
    fc.assert(
      fc.property(text, (raw) => {
        const topic = parseOrRefuse(parseTopicName, raw);
        if (topic === undefined) return;
        expect([...topic].length).toBeLessThanOrEqual(limits.topicLength);
        expect(topic.trim()).toBe(topic);
        expect(topic).not.toMatch(/\p{Cc}|\p{Cs}/u);
        expect(parseTopicName(topic), 'read again').toBe(topic);
      }),
    );
  });

  test.each(['', '   ', '(no topic)', ' general chat '])('%j is the empty one', (raw) => {
    expect(parseTopicName(raw)).toBe('');
  });

  test.each([
    ['a\u0007', 2],
    ['😀\ud800x', 2],
    ['abc\ufdd0', 4],
    ['\u{1ffff}', 1],
  ])('%j is refused, and the place named', (raw, position) => {
    expect(() => parseTopicName(raw)).toThrow(
      `The topic contains a character that is not allowed, at position ${position}.`,
    );
  });
});

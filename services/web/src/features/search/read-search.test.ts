import { describe, expect, test } from 'vitest';

import { readSearch } from './read-search.ts';

const term = (operator: string, operand: string, negated = false) => ({ operator, operand, negated });

describe('what is written in the search field', () => {
  test.each([
    ['lunch', [term('search', 'lunch')]],
    ['big lunch today', [term('search', 'big lunch today')]],
    ['"big lunch" today', [term('search', '"big lunch" today')]],
    ['channel:general lunch', [term('channel', 'general'), term('search', 'lunch')]],
    ['stream:"core team"', [term('channel', 'core team')]],
    ['topic:"week 3" -is:muted', [term('topic', 'week 3'), term('is', 'muted', true)]],
    ['topic:', [term('topic', '')]],
    ['from:me has:link', [term('sender', 'me'), term('has', 'link')]],
    ['dm:4,5', [term('dm', '4,5')]],
    ['id:12 with:13', [term('id', '12'), term('with', '13')]],
    [
      'near:7 date:2026-03-09 mentions:me',
      [term('near', '7'), term('date', '2026-03-09'), term('mentions', 'me')],
    ],
    ['https://example.com/a', [term('search', 'https://example.com/a')]],
    [
      'lunch -dinner -"big tea" today',
      [term('search', 'lunch today'), term('search', 'dinner', true), term('search', '"big tea"', true)],
    ],
    ['- --watch', [term('search', '- --watch')]],
    ['', []],
  ])('%s', (text, terms) => {
    expect(readSearch(text)).toEqual({ terms, refusals: [] });
  });

  test.each([
    ['colour:red', '“colour” isn’t a search operator.'],
    ['is:funny', /^The value of “is:” must be one of: unread, starred/],
    ['has:', 'Add a value after “has:”.'],
    ['date:2026-02-30', 'The value of “date:” must be a day such as 2026-03-09.'],
    ['id:x', 'The value of “id:” must be a message ID.'],
  ])('%s is refused, with the reason', (text, refusal) => {
    const { terms, refusals } = readSearch(`lunch ${text}`);
    expect(terms).toEqual([term('search', 'lunch')]);
    expect(refusals).toEqual([expect.stringMatching(refusal)]);
  });
});

import { describe, expect, test } from 'vitest';

import { indexedOf, parseSearch } from './parse.ts';

const word = (written: string, parts: string[], rest: object = {}) => ({
  written,
  parts,
  isLiteral: false,
  isBeginning: false,
  isEnding: false,
  ...rest,
});

describe('what is written to search for', () => {
  test.each([
    ['Lunch', word('Lunch', ['lunch'])],
    ['Straße', word('Straße', ['strasse'])],
    ['ＡＰＩ', word('ＡＰＩ', ['api'])],
    ['done!', word('done!', ['done'])],
    ['well-known', word('well-known', ['well', 'known'])],
    ['l’école', word('l’école', ['l', 'ecole'])],
    ['foo_bar', word('foo_bar', ['foo', 'bar'], { isLiteral: true })],
    ['a.b.c', word('a.b.c', ['a', 'b', 'c'], { isLiteral: true })],
    ['C++', word('C++', ['c'], { isLiteral: true })],
    ['=>', word('=>', [], { isLiteral: true })],
    ['deploy*', word('deploy', ['deploy'], { isBeginning: true })],
    ['*base', word('base', ['base'], { isEnding: true })],
    ['*log*', word('log', ['log'], { isBeginning: true, isEnding: true })],
    ['東京都', word('東京都', ['東京都'])],
    ['Docker部署', word('Docker部署', ['docker', '部署'])],
    ['학교에서', word('학교에서', ['학교'])],
    ['의', word('의', ['의'])],
  ])('%s', (text, expected) => {
    expect(parseSearch(text)).toEqual({ words: [expected], phrases: [] });
  });

  test('frequent words are passed over where there are others, and looked for where there are not', () => {
    const wordsIn = (text: string) => parseSearch(text).words.map(({ written }) => written);
    expect(wordsIn('how do I deploy the server')).toEqual(['deploy', 'server']);
    expect(wordsIn('to be or not to be')).toEqual(['to', 'be', 'or', 'not']);
    expect(wordsIn('the "old harbour"')).toEqual([]);
  });

  test('phrases are what stands between quotes', () => {
    expect(parseSearch('"big lunch" "big lunch" soup "open')).toMatchObject({
      phrases: ['big lunch'],
      words: [{ parts: ['soup'] }, { parts: ['open'] }],
    });
  });
});

test('a run of characters is indexed by its pairs, and a single one by itself', () => {
  expect(indexedOf('東京都')).toEqual(['東京', '京都']);
  expect(indexedOf('晴')).toEqual(['晴']);
  expect(indexedOf('lunch')).toEqual(['lunch']);
});

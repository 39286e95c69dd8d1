import { expect, test } from 'vitest';

import { type Highlight, highlightHtml, highlightText } from './highlight.ts';

const words = (...of: string[]): Highlight => ({ words: new Set(of), literals: [], pairs: [] });
const literals = (...of: string[]): Highlight => ({ words: new Set(), literals: of, pairs: [] });
const marked = (text: string) => `<span class="highlight">${text}</span>`;

test.each([
  ['a word, as it is written', 'big Lunch today', words('lunch'), `big ${marked('Lunch')} today`],
  ['a word with accents', 'le café', words('cafe'), `le ${marked('café')}`],
  ['no part of a word', 'launch lunches', words('lunch'), 'launch lunches'],
  ['a part of an identifier', 'fooBarBaz', words('bar'), `foo${marked('Bar')}Baz`],
  ['parts beside each other', 'foo_bar', words('foo', 'bar'), `${marked('foo')}_${marked('bar')}`],
  ['a phrase in any case', 'For Lunch', literals('for lunch'), marked('For Lunch')],
  ['what overlaps once', 'abcd', literals('abc', 'bcd'), marked('abcd')],
  ['a run of characters', '東京都に', literals('東京都'), `${marked('東京都')}に`],
  [
    'pairs where there is no whole run',
    '京都と東京',
    { ...literals('東京都'), pairs: ['東京', '京都'] },
    `${marked('京都')}と${marked('東京')}`,
  ],
])('marks %s', (_, text, highlight, html) => {
  expect(highlightHtml(text, highlight)).toBe(html);
});

test.each([
  ['tags', '<a href="/lunch" title="lunch">x</a>', words('lunch')],
  ['names of entities', 'a &amp; b &lt;amp', literals('amp')],
  ['formulas', '<math><mi>lunch</mi></math>', words('lunch')],
])('marks nothing in %s', (name, html, highlight) => {
  const expected = name === 'names of entities' ? `a &amp; b &lt;${marked('amp')}` : html;
  expect(highlightHtml(html, highlight)).toBe(expected);
});

test('a letter that becomes two in lower case moves no mark', () => {
  expect(highlightHtml('İİ lunch', literals('lunch'))).toBe(`İİ ${marked('lunch')}`);
});

test('a topic becomes HTML in which nothing but marks is markup', () => {
  expect(highlightText('<b> & lunch', words('lunch', 'b'))).toBe(
    `&lt;${marked('b')}&gt; &amp; ${marked('lunch')}`,
  );
});

import { expect, test } from 'vitest';

import { plainText } from './plain-text.ts';

test.each([
  ['<p>Who <strong>comes</strong> along?</p>\n<p>At noon.</p>', 'Who comes along? At noon.'],
  ['<p>a &lt;b&gt; &amp;lt; c</p>', 'a <b> &lt; c'],
  ['<p>fine <img alt=":tada:" class="emoji" src="/x.png"></p>', 'fine :tada:'],
  [
    '<div class="spoiler-block"><div class="spoiler-header"><p>The end</p></div><div class="spoiler-content" aria-hidden="true"><p>all die</p></div></div>',
    'The end …',
  ],
  ['', ''],
])('%s', (html, text) => {
  expect(plainText(html)).toBe(text);
});

test('what is long is cut', () => {
  expect(plainText(`<p>${'ab '.repeat(50)}</p>`, 10)).toBe('ab ab ab …');
});

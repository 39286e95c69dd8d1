import { expect, test } from 'vitest';

import { decodePage } from './decode-page.ts';

const latin = Buffer.from('<title>Käse</title>', 'latin1');
const utf8 = (text: string) => Buffer.from(text);

test.each([
  ['its header', latin, 'text/html; charset=iso-8859-1', 'Käse'],
  ['a header in quotes', latin, 'text/html; charset="ISO-8859-1"', 'Käse'],
  ['what it says itself', Buffer.concat([utf8('<meta charset=latin1>'), latin]), 'text/html', 'Käse'],
  [
    'what it says in the old way',
    Buffer.concat([
      utf8('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">'),
      latin,
    ]),
    'text/html',
    'Käse',
  ],
  [
    'its header first',
    Buffer.concat([utf8('<meta charset=latin1>'), utf8('Käse')]),
    'text/html;charset=utf-8',
    'Käse',
  ],
  ['a charset nobody knows', utf8('Käse'), 'text/html; charset=klingon', 'Käse'],
  ['its first bytes', Buffer.from('\ufeffKäse', 'utf16le'), 'text/html; charset=latin1', 'Käse'],
  ['two bytes that it cannot mean', utf8('<meta charset="utf-16">Käse'), 'text/html', 'Käse'],
  ['Japanese', Buffer.from('3c5469746c653e93fa967b', 'hex'), 'text/html; charset=Shift_JIS', '日本'],
  ['nothing', utf8('Käse'), '', 'Käse'],
])('a page is read by %s', (_, bytes, contentType, text) => {
  expect(decodePage(bytes, contentType)).toContain(text);
});

test('bytes that mean nothing are shown as such', () => {
  expect(decodePage(latin, 'text/html')).toBe('<title>K\ufffdse</title>');
  expect(decodePage(Buffer.alloc(0), 'text/html')).toBe('');
});

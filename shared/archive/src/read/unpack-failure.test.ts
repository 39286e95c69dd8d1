import { expect, test } from 'vitest';

import { ArchiveRefused } from './refused.ts';
import { unreadable } from './unpack-failure.ts';

test.each([
  ['unexpected end of file', 'The archive is damaged: a.gz ends in the middle. Copy or download it again.'],
  ['Unexpected end of data', 'The archive is damaged: a.gz ends in the middle. Copy or download it again.'],
  ['incorrect header check', 'The archive is damaged: a.gz cannot be decompressed.'],
  ['invalid relative path: ../b', 'The archive is damaged: the path ../b leads out of it.'],
  [
    'unsupported compression method: 93',
    'The archive is a ZIP file of a kind that is not read here: encrypted, in several parts, or not compressed with Deflate.',
  ],
])('what fails with “%s” is refused in our words', (said, sentence) => {
  expect(unreadable(new Error(said), 'a.gz')).toMatchObject({ message: sentence });
});

test('failures of the system and refusals stay what they are', () => {
  const failures = [
    Object.assign(new Error('unexpected end of file'), { syscall: 'open' }),
    new ArchiveRefused({ code: 'overlapping', values: {} }),
  ];
  expect(failures.map((one) => unreadable(one))).toEqual(failures);
});

import { expect, test } from 'vitest';

import { isForAMoment, isSameFile, sentenceIn } from './archive-file.ts';

const begun = { upload_id: 'x', file_name: 'acme.zip', bytes: 3 };

test('an upload goes on with the same file only', () => {
  expect(isSameFile({ name: 'acme.zip', size: 3 }, begun)).toBe(true);
  expect(isSameFile({ name: 'acme.zip', size: 4 }, begun)).toBe(false);
  expect(isSameFile({ name: 'other.zip', size: 3 }, begun)).toBe(false);
});

test('what is refused for a moment is sent again, and nothing else', () => {
  expect([undefined, 0, 409, 423, 429, 500, 503].filter((status) => !isForAMoment(status))).toEqual([]);
  expect([400, 401, 404, 410, 413].filter((status) => isForAMoment(status))).toEqual([]);
});

test('a refusal is shown in the words of the server, if it has some', () => {
  expect(sentenceIn('{"result":"error","msg":"Too large."}')).toBe('Too large.');
  expect(['', '<html>', '{}', '{"msg":""}', undefined].map(sentenceIn)).toEqual(Array(5).fill(undefined));
});

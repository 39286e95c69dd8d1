import { expect, test } from 'vitest';

import { statefulClosures } from './closures.ts';
import { filesIn, isTest, sourceFile } from './source-files.ts';

/** From here on, what a closure keeps has names: it is a class, or parts. */
const variablesMin = 3;

test('no closure has three variables that its functions change', () => {
  const files = ['shared', 'services', 'infra', 'test']
    .flatMap(filesIn)
    .filter((file) => /\.tsx?$/.test(file.path) && !isTest(file));
  expect(files.length).toBeGreaterThan(900);
  expect(files.flatMap((file) => statefulClosures(file, variablesMin))).toEqual([]);
});

test('what looks for work in all organizations changes no variable outside, since servers answer at the same time', () => {
  const files = ['shared', 'services']
    .flatMap(filesIn)
    .filter(({ text }) => /\bsweep\(\s*(async )?\(/.test(text));
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap((file) => statefulClosures(file, 1))).toEqual([]);
});

const closure = (body: string) =>
  statefulClosures(sourceFile('a.ts', `export function create() {\n${body}\n}`), variablesMin);

test.each([
  ['assigned one by one', 'let a = 1; let b = 2; let c = 3; return { go() { a = 2; b += 1; c++; } };'],
  [
    'taken out of arrays and objects',
    'let [a, b] = [1, 2]; let { c } = x; return () => { [a, { b }] = [1, { b: 2 }]; for (c of []) {} };',
  ],
  [
    'changed at some depth',
    'let a = 1, b = 2; if (a) { let c = 3; return () => [1].map(() => { a = b = c = 2; }); }',
  ],
])('variables that are %s count', (_, body) => {
  expect(closure(body)).toEqual(['a.ts:1: a, b, c']);
});

test.each([
  ['two', 'let a = 1; let b = 2; return () => { a = 2; b = 1; };'],
  ['those of the function itself', 'let a = 1; let b = 2; let c = 3; a = b = c = 4; return () => a + b + c;'],
  ['others of the same name', 'let a = 1; let b = 2; let c = 3; return (a) => { let b; a = b = c = 1; };'],
  ['fields', 'const a = { b: 1, c: 2, d: 3 }; return () => { a.b = a.c = a.d = 1; };'],
])('%s are no closure of three', (_, body) => {
  expect(closure(body)).toEqual([]);
});

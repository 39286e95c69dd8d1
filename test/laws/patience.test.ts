import { expect, test } from 'vitest';

import { type SourceFile, filesIn, isTest } from './source-files.ts';

/** What a test may lose on a machine that does much else, before it says that something hangs. */
const patienceMs = 60_000;

const own = 'test/laws/patience.test.ts';
const isOfTests = (file: SourceFile) =>
  (isTest(file) ||
    /^test\/(events|laws|support)\//.test(file.path) ||
    file.path.startsWith('infra/dev/testing/')) &&
  file.path !== own;
const files = ['shared', 'services', 'infra', 'test'].flatMap(filesIn).filter(isOfTests);

const numberOf = (text = '') => Number(text.replaceAll('_', ''));

/** The calls of a function in a file, each with its arguments as they are written. */
function callsOf(name: RegExp, { text }: SourceFile): string[] {
  return [...text.matchAll(new RegExp(`${name.source}(?:<[^(]*>)?\\(`, 'gm'))].map((match) => {
    const from = match.index + match[0].length;
    let [at, depth] = [from, 1];
    for (; depth > 0 && at < text.length; at += 1) {
      if ('([{'.includes(text[at] ?? '')) depth += 1;
      if (')]}'.includes(text[at] ?? '')) depth -= 1;
    }
    return text.slice(from, at - 1).trim();
  });
}

/** What such a call waits at most, if it says so: as its last argument, by itself or named, or by a name of the file. */
function limitOf(call: string, { text }: SourceFile): number | undefined {
  const [, named] = /\btimeout: ([\d_]+)[^{}]*\},?$/.exec(call) ?? /,\s*([\d_]+),?$/.exec(call) ?? [];
  if (named !== undefined) return numberOf(named);
  const [, constant = ''] = /,\s*(\w+),?$/.exec(call) ?? [];
  const [, ofConstant] = new RegExp(`const ${constant} = \\{[^}]*timeout: ([\\d_]+)`).exec(text) ?? [];
  return ofConstant === undefined ? undefined : numberOf(ofConstant);
}

/** Those whose clock is the machine's. A clock that the test moves waits for nothing and measures no machine. */
const timed = files.filter(({ text }) => !text.includes('vi.useFakeTimers()'));

test('no test sleeps', () => {
  expect(timed.length).toBeGreaterThan(300);
  const sleeping = timed.filter(({ text }) => /(?<![.\w])(setTimeout|sleep|pause)\(/.test(text));
  // Its clients send as people do, with breaks between. What it proves does not depend on them.
  expect(sleeping.map(({ path }) => path)).toEqual(['test/cluster/scaling.test.ts']);
});

test('no test measures how long something took: a busy machine would be taken for a slow program', () => {
  const measuring = timed.filter(({ text }) => /\bperformance\.now\(|\bhrtime\b/.test(text));
  expect(measuring.map(({ path }) => path)).toEqual([]);
});

test('whoever waits for something waits for a minute before it is taken for hanging', () => {
  const waiting = files.flatMap((file) =>
    callsOf(/\bvi\.(?:waitUntil|waitFor)/, file).map((call) => ({ call, file })),
  );
  expect(waiting.length).toBeGreaterThan(50);
  const impatient = waiting.filter(({ call, file }) => !((limitOf(call, file) ?? 0) >= patienceMs));
  expect(impatient.map(({ call, file }) => `${file.path}: ${call}`)).toEqual([]);
});

test('no test has less time than the others of its project', () => {
  const shorter = files.flatMap((file) =>
    callsOf(/^ *(?:test|describe|(?:before|after)(?:All|Each))[.\w]*/m, file)
      .filter((call) => (limitOf(call, file) ?? Infinity) < 300_000)
      .map((call) => `${file.path}: ${call.slice(-80)}`),
  );
  expect(shorter).toEqual([]);
});

import { reasonSentences, refusalSentences } from '@parley/protocol';
import { expect, test } from 'vitest';

import { catalogueTexts } from './catalogue.ts';
import { filesIn, isTest } from './source-files.ts';

/** A text without how its numbers are written, and with one form of its plurals. */
const plain = (text: string) =>
  text
    .replace(/\{(\w+), plural, .*other \{([^{}]*)\}\}/, (_, name: string, other: string) =>
      other.replace('#', `{${name}}`),
    )
    .replace(/\{(\w+), number\}/g, '{$1}');

const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

const said = {
  refusal: {
    sentences: refusalSentences,
    folders: ['shared/archive/src', 'shared/actions/src', 'services/worker/src', 'services/cli/src'],
  },
  reason: {
    sentences: reasonSentences,
    folders: ['shared/archive/src/convert'],
  },
};

test.each(Object.entries(said))(
  'the web client says what the server says in English of each %s',
  (part, { sentences }) => {
    const texts = [...catalogueTexts('services/web/src/strings')].filter(([key]) =>
      key.startsWith(`${part}.`),
    );
    expect(texts.length).toBeGreaterThan(60);
    expect(
      Object.fromEntries(texts.map(([key, { text }]) => [key.slice(part.length + 1), plain(text)])),
    ).toEqual(sentences);
    const misnamed = texts.filter(
      ([, { text, names }]) => (names ?? []).join() !== namesIn(plain(text)).join(),
    );
    expect(misnamed).toEqual([]);
  },
);

test.each(Object.entries(said))('each %s of an import is given somewhere', (_, { sentences, folders }) => {
  const code = folders
    .flatMap(filesIn)
    .filter((file) => !isTest(file))
    .map(({ text }) => text)
    .join('\n');
  const given = new Set([...code.matchAll(/'(\w+)'/g)].map(([, word]) => word));
  expect(Object.keys(sentences).filter((one) => !given.has(one))).toEqual([]);
});

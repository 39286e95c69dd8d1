import type { ImportRefusal } from '@parley/client';
import { afterEach, expect, test, vi } from 'vitest';

import de from '../../strings/translations/de.json' with { type: 'json' };
import fr from '../../strings/translations/fr.json' with { type: 'json' };

afterEach(() => void vi.resetModules());

const translations = { en: {}, de, fr };

/** Returns the function as a page in a language has it. */
async function inLanguage(tag: keyof typeof translations) {
  vi.resetModules();
  const { useLanguage } = await import('../../strings/language.ts');
  useLanguage({ tag, texts: translations[tag] });
  return (await import('./import-failure.ts')).failureOf;
}

const failed = (code: string, values: ImportRefusal['values'], failure = 'In English.') => ({
  failure,
  // What a server says that may be newer than the page.
  failure_reason: { code, values } as ImportRefusal,
});

test('why an import failed is said in the language of the page, with its numbers', async () => {
  const line = failed('no_json', { path: 'users.json', line: 1234 });
  expect((await inLanguage('en'))(line)).toBe('The archive is damaged: line 1,234 of users.json is no JSON.');
  const german = await inLanguage('de');
  expect(german(line)).toBe('Das Archiv ist beschädigt: Zeile 1.234 von users.json ist kein JSON.');
  expect(german(failed('people_max', { count: 1_000_000 }))).toBe(
    'Das Archiv hat mehr als 1.000.000 Personen.',
  );
  expect(german(failed('other_product', { found: 'rocketchat', said: 'slack' }))).toBe(
    'Das ist ein Archiv aus Rocket.Chat, nicht aus Slack.',
  );
  expect((await inLanguage('fr'))(failed('incomplete', { count: 1 }))).toBe(
    'L’archive est endommagée\u00a0: elle est incomplète\u00a0: il manque 1 partie.',
  );
});

test('where something is in an archive is said by what is known of it', async () => {
  const failureOf = await inLanguage('en');
  const said = (values: ImportRefusal['values']) =>
    failureOf(failed('no_bson', values)).slice('The archive is damaged: '.length);
  const places: ImportRefusal['values'][] = [
    { path: 'a' },
    { path: 'a', line: 2 },
    { line: 2 },
    { path: 'a', message: 3 },
    { path: 'a', document: 4 },
    { path: 'a', document: 4, byte: 5 },
    { path: 'a', byte: 5 },
    { byte: 5 },
    {},
  ];
  expect(places.map(said)).toEqual([
    'a is no BSON.',
    'line 2 of a is no BSON.',
    'line 2 of the archive is no BSON.',
    'message 3 of a is no BSON.',
    'document 4 of a is no BSON.',
    'document 4 of a, at byte 5, is no BSON.',
    'byte 5 of a is no BSON.',
    'byte 5 of the archive is no BSON.',
    'it is no BSON.',
  ]);
});

test('a failure of which the page knows no code is shown as the server says it', async () => {
  const failureOf = await inLanguage('de');
  expect(failureOf({ failure: 'It is old.', failure_reason: null })).toBe('It is old.');
  expect(failureOf(failed('of_tomorrow', {}))).toBe('In English.');
  expect(failureOf(failed('toString', {}))).toBe('In English.');
});

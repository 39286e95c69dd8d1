import { afterEach, expect, test, vi } from 'vitest';

import ar from '../../strings/translations/ar.json' with { type: 'json' };
import de from '../../strings/translations/de.json' with { type: 'json' };

afterEach(() => void vi.resetModules());

const translations = { en: {}, de, ar };

/** The function as a page in a language has it. */
async function inLanguage(tag: keyof typeof translations) {
  vi.resetModules();
  const { useLanguage } = await import('../../strings/language.ts');
  useLanguage({ tag, texts: translations[tag] });
  return (await import('./import-reason.ts')).reasonOf;
}

const cutOff = { code: 'cut_off', values: { characters: 20_000 } };
const notice = { code: 'notice', values: { product: 'Slack', type: 'channel_join' } };

test('why an import changes something is said in the language of the page, with its numbers', async () => {
  const said = async (tag: keyof typeof translations) => {
    const reasonOf = await inLanguage(tag);
    return [{ code: 'deleted', values: {} }, cutOff, notice].map((one) => reasonOf('In English.', one));
  };
  expect(await said('en')).toEqual([
    'It was deleted',
    'It is longer than 20,000 characters; the end is cut off',
    'It is a notice of Slack (channel_join)',
  ]);
  expect(await said('de')).toEqual([
    'Wurde gelöscht',
    'Länger als 20.000 Zeichen; das Ende ist abgeschnitten',
    'Hinweis von Slack (channel_join)',
  ]);
  // Names of the archive keep their direction among words from right to left.
  expect((await said('ar'))[2]).toBe('إشعار من \u2068Slack\u2069 (\u2068channel_join\u2069)');
});

test('a reason of which the page knows no code is shown as the server says it', async () => {
  const reasonOf = await inLanguage('de');
  expect(reasonOf('notice: channel_join', {})).toBe('notice: channel_join');
  expect(reasonOf('In English.', { code: 'of_tomorrow', values: {} })).toBe('In English.');
  expect(reasonOf('In English.', { code: 'toString', values: {} })).toBe('In English.');
});

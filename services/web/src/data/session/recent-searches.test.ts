import { beforeEach, expect, test, vi } from 'vitest';

import { forgetSearches, recentSearches, rememberSearch } from './recent-searches.ts';

/** As much of a browser's store as is used: its keys are its own properties. */
class Store {
  [key: string]: unknown;
  getItem = (key: string) => (typeof this[key] === 'string' ? this[key] : null);
  setItem = (key: string, value: string) => {
    this[key] = value;
  };
  removeItem = (key: string) => {
    delete this[key];
  };
}

beforeEach(() => {
  vi.stubGlobal('localStorage', new Store());
});

test('searches are kept by account, the newest first, each once and eight of them', () => {
  for (const word of ['a', 'b', 'a']) rememberSearch(7, `#narrow/search/${word}`);
  rememberSearch(8, '#narrow/search/other');
  expect(recentSearches(7)).toEqual(['#narrow/search/a', '#narrow/search/b']);
  for (let count = 0; count < 20; count += 1) rememberSearch(7, `#narrow/search/${count}`);
  expect(recentSearches(7)).toHaveLength(8);
  expect(recentSearches(7)[0]).toBe('#narrow/search/19');
  rememberSearch(7, `#narrow/search/${'x'.repeat(600)}`);
  expect(recentSearches(7)[0]).toBe('#narrow/search/19');
});

test('searches that are stored beyond the newest eight are neither read nor kept', () => {
  const stored = Array.from({ length: 12 }, (_, at) => `#narrow/search/${at}`);
  localStorage.setItem('parley-searches 7', JSON.stringify(stored));
  expect(recentSearches(7)).toEqual(stored.slice(0, 8));
  rememberSearch(7, '#narrow/search/newest');
  expect(JSON.parse(localStorage.getItem('parley-searches 7') ?? '')).toHaveLength(8);
});

test('searches of everybody are forgotten together, and nothing else is', () => {
  rememberSearch(7, '#narrow/search/a');
  rememberSearch(8, '#narrow/search/b');
  localStorage.setItem('parley-draft 7 1', '{}');
  forgetSearches();
  expect([...recentSearches(7), ...recentSearches(8)]).toEqual([]);
  expect(localStorage.getItem('parley-draft 7 1')).toBe('{}');
});

test('where the browser keeps nothing, nothing is remembered, and nothing fails', () => {
  const forbidden = () => {
    throw new Error('The operation is insecure.');
  };
  vi.stubGlobal('localStorage', new Proxy({}, { get: forbidden, ownKeys: forbidden }));
  rememberSearch(7, '#narrow/search/a');
  expect(recentSearches(7)).toEqual([]);
  forgetSearches();
});

test('what is stored and is no list is as if nothing had been searched for', () => {
  for (const stored of ['{', '{"a":1}', '[1]', 'null']) {
    localStorage.setItem('parley-searches 7', stored);
    expect(recentSearches(7)).toEqual([]);
  }
});

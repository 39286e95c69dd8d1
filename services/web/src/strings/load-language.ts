import { type LanguageTag, directionOf, languageOf } from '@parley/strings';

import { useLanguage } from './language.ts';

type Translations = Promise<{ default: Readonly<Record<string, string>> }>;

/** The catalogue is written in English; each other language is a file of its own. */
const translations: Readonly<Record<Exclude<LanguageTag, 'en'>, () => Translations>> = {
  de: () => import('./translations/de.json'),
  fr: () => import('./translations/fr.json'),
  es: () => import('./translations/es.json'),
  ja: () => import('./translations/ja.json'),
  ar: () => import('./translations/ar.json'),
};

const key = 'parley.language';

/** The language that was chosen on this device; null if none was, or the browser keeps nothing. */
export function chosenLanguage(): LanguageTag | null {
  try {
    return languageOf(localStorage.getItem(key) ?? '');
  } catch {
    return null;
  }
}

/** Keeps a choice on this device. Returns whether it will be there when the page is loaded again. */
export function chooseLanguage(tag: LanguageTag): boolean {
  try {
    localStorage.setItem(key, tag);
  } catch {
    // The store is full, or forbidden.
  }
  return chosenLanguage() === tag;
}

/**
 * Sets the language of the page: that of the last person here, else the first that the browser wishes and the client has.
 * Nothing that reads a text may be imported before it resolves.
 */
export async function loadLanguage(): Promise<void> {
  const wished = navigator.languages.map(languageOf).find((tag) => tag !== null);
  const tag = chosenLanguage() ?? wished ?? 'en';
  try {
    const texts = tag === 'en' ? {} : (await translations[tag]()).default;
    useLanguage({ tag, texts });
    document.documentElement.lang = tag;
    document.documentElement.dir = directionOf(tag);
  } catch {
    // Its file cannot be fetched: the page is in English.
  }
}

import { type LanguageTag, serverLanguageOf } from './languages.ts';
import { type Language, type Texts, type TranslatedTexts, translate } from './texts.ts';

type Translations = Promise<{ default: Readonly<Record<string, string>> }>;

/** The catalogue is written in English; each other language is a file of its own, read when it is first asked for. */
const translations: Readonly<Record<Exclude<LanguageTag, 'en'>, () => Translations>> = {
  de: () => import('./translations/de.json', { with: { type: 'json' } }),
  fr: () => import('./translations/fr.json', { with: { type: 'json' } }),
  es: () => import('./translations/es.json', { with: { type: 'json' } }),
  ja: () => import('./translations/ja.json', { with: { type: 'json' } }),
  ar: () => import('./translations/ar.json', { with: { type: 'json' } }),
};

async function loadLanguage(tag: LanguageTag): Promise<Language> {
  return { tag, texts: tag === 'en' ? {} : (await translations[tag]()).default };
}

/**
 * Puts texts of the server into the catalogue. What it returns reads them in the language that a setting names, and translates
 * them once for each language.
 */
export function catalogue<const Part extends Texts>(
  name: string,
  texts: Part,
): (setting: string) => Promise<TranslatedTexts<Part>> {
  const read = new Map<LanguageTag, Promise<TranslatedTexts<Part>>>();
  return (setting) => {
    const tag = serverLanguageOf(setting);
    const known = read.get(tag);
    if (known) return known;
    const reading = loadLanguage(tag).then((language) => translate(name, texts, language));
    read.set(tag, reading);
    // A file that could not be read is tried again.
    reading.catch(() => read.delete(tag));
    return reading;
  };
}

import { type Texts, type TranslatedTexts, translate } from '@parley/strings';

import { language } from './language.ts';

export { icu } from '@parley/strings';

/** Puts texts into the catalogue, and returns them in the language of the page. */
export const catalogue = <const Part extends Texts>(name: string, texts: Part): TranslatedTexts<Part> =>
  translate(name, texts, language());

import { languageOf } from '@parley/strings';
import { effect } from '@preact/signals';

import { hasState, userSetting } from '../data/live/state.ts';
import { session } from '../data/session/session.ts';
import { language } from '../strings/language.ts';
import { chooseLanguage, chosenLanguage } from '../strings/load-language.ts';

/**
 * Loads the page anew when the reader's setting names another language of the client. What is typed is kept. A language that
 * cannot be kept on this device, or could not be fetched, is not tried again and again.
 */
export function followLanguage(): void {
  effect(() => {
    if (session.value.kind !== 'member' || !hasState()) return;
    const tag = languageOf(String(userSetting('default_language')));
    if (tag === null || tag === language().tag || tag === chosenLanguage()) return;
    if (chooseLanguage(tag)) location.reload();
  });
}

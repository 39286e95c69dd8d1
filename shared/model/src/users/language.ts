import type { UserRow } from '@parley/db';
import { fullUserSettings } from '@parley/protocol';

/** Returns the language that somebody has chosen, or that their account began with. */
export const languageOfUser = ({ settings }: Pick<UserRow, 'settings'>): string =>
  fullUserSettings(settings).default_language;

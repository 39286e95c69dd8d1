import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import { serverLanguageOf, translateError } from '@parley/strings';
import type { Context } from 'hono';

import type { Caller } from '../auth/identify.ts';
import { acceptedLanguage } from '../http/accepted-language.ts';

/**
 * Returns the language in which a request is refused: that of its account, or else the one that it prefers. A request that
 * prefers no language of ours is a program's, which reads English.
 */
export function languageOfRefusal({ c, caller }: { c: Context; caller: Caller | null }): string {
  const accepted = acceptedLanguage(c);
  if (accepted === null) return 'en';
  if (!caller || model.realms.isSpectator(caller.actor)) return accepted;
  return serverLanguageOf(caller.actor.settings.default_language);
}

/** Returns what was thrown; a refusal with its message in a language. Nothing else of it changes. */
export async function translateRefusal(error: unknown, language: string): Promise<unknown> {
  if (!(error instanceof ApiError)) return error;
  const message = await translateError(error.message, language);
  return message === error.message ? error : error.saying(message);
}

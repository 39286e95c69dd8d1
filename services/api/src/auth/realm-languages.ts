import type { Database } from '@parley/db';
import { SmallCache } from '@parley/kit';
import * as model from '@parley/model';
import { fullRealmSettings } from '@parley/protocol';
import { type LanguageTag, serverLanguageOf } from '@parley/strings';

/** An organization may have changed its language for so long before its pages follow. */
const rememberedMs = 10_000;

/** Returns what finds the language of an organization. It is remembered: a page that is refused costs no look-up for it. */
export function createRealmLanguages(db: Database): (realm: model.Realm) => Promise<LanguageTag> {
  const languages = new SmallCache<number, LanguageTag>(10_000, {
    ttl: rememberedMs,
    async fetchMethod(id) {
      const { settings } = await model.realms.getRealm(db, id);
      return serverLanguageOf(fullRealmSettings(settings).default_language);
    },
  });
  return async ({ id }) => (await languages.fetch(id)) ?? 'en';
}

import { type Draft, type Playground, events, to } from '@parley/protocol';

import type { PlaygroundRow } from './find.ts';

export const presentPlaygrounds = (rows: PlaygroundRow[]): Playground[] =>
  rows.map(({ id, name, language, urlTemplate }) => ({
    id,
    name,
    pygments_language: language,
    url_template: urlTemplate,
  }));

/** What everyone is told after any change: all of them. */
export const draftOfPlaygrounds = (rows: PlaygroundRow[]): Draft =>
  to.everyone(events.realmPlaygrounds({ realm_playgrounds: presentPlaygrounds(rows) }));

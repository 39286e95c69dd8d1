import type { PlaygroundRow } from '@parley/db';
import { type Playground, type PendingEvent, to, events } from '@parley/protocol';

export const presentPlaygrounds = (rows: PlaygroundRow[]): Playground[] =>
  rows.map(({ id, name, language, urlTemplate }) => ({
    id,
    name,
    pygments_language: language,
    url_template: urlTemplate,
  }));

/** What everyone is told after any change: all of them. */
export const playgroundsEvent = (rows: PlaygroundRow[]): PendingEvent =>
  to.everyone(events.realmPlaygrounds({ realm_playgrounds: presentPlaygrounds(rows) }));

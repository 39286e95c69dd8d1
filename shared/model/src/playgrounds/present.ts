import type { PlaygroundRow } from '@parley/db';
import { type Playground, type PendingEvent, to, events } from '@parley/protocol';

export const presentPlaygrounds = (rows: PlaygroundRow[]): Playground[] =>
  rows.map(({ id, name, language, urlTemplate }) => ({
    id,
    name,
    pygments_language: language,
    url_template: urlTemplate,
  }));

/** Returns the event after any change of playgrounds, for everyone: all playgrounds. */
export const playgroundsEvent = (rows: PlaygroundRow[]): PendingEvent =>
  to.everyone(events.realmPlaygrounds({ realm_playgrounds: presentPlaygrounds(rows) }));

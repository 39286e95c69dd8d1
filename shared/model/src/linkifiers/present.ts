import type { LinkifierRow } from '@parley/db';
import { type Linkifier, type PendingEvent, to, events } from '@parley/protocol';

export const presentLinkifiers = (rows: LinkifierRow[]): Linkifier[] =>
  rows.map(({ id, pattern, urlTemplate }) => ({ id, pattern, url_template: urlTemplate }));

/** Returns the event after any change of linkifiers, for everyone: all linkifiers in their order. */
export const linkifiersEvent = (rows: LinkifierRow[]): PendingEvent =>
  to.everyone(events.realmLinkifiers({ realm_linkifiers: presentLinkifiers(rows) }));

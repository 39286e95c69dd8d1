import { type Draft, type Linkifier, events, to } from '@parley/protocol';

import type { LinkifierRow } from './find.ts';

export const presentLinkifiers = (rows: LinkifierRow[]): Linkifier[] =>
  rows.map(({ id, pattern, urlTemplate }) => ({ id, pattern, url_template: urlTemplate }));

/** What everyone is told after any change: all of them, in order. */
export const draftOfLinkifiers = (rows: LinkifierRow[]): Draft =>
  to.everyone(events.realmLinkifiers({ realm_linkifiers: presentLinkifiers(rows) }));

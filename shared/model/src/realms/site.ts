import type { tables } from '@parley/db';

import type { Realm } from '../actor.ts';

/** Where organizations are found: each at a name below the host, one at the host itself. */
export interface Site {
  /** How the outside reaches the bare host: scheme, name and port. */
  baseUrl: string;
  baseHost: string;
  rootRealm: string;
}

type RealmRow = Pick<typeof tables.realms.$inferSelect, 'id' | 'name' | 'membersConversationId'>;

/** A realm as the outside addresses it; null while it is being made. */
export function realmAt({ id, name, membersConversationId }: RealmRow, site: Site): Realm | null {
  if (membersConversationId === null) return null;
  const url = new URL(site.baseUrl);
  if (name !== site.rootRealm) url.hostname = `${name}.${site.baseHost}`;
  const host = name === site.rootRealm ? site.baseHost : url.hostname;
  return { id, name, membersConversationId, host, url: url.origin };
}

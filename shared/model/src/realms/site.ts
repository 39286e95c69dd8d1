import type { tables } from '@parley/db';

import type { Realm } from '../actor.ts';

/** The host that serves the realms. The root realm is at the host itself, each other realm at a subdomain. */
export interface Site {
  /** The URL at which clients reach the host: scheme, name and port. */
  baseUrl: string;
  baseHost: string;
  rootRealm: string;
}

type RealmRow = Pick<typeof tables.realms.$inferSelect, 'id' | 'name' | 'membersConversationId'>;

/** A realm with its address; null while the realm is being created. */
export function realmAt({ id, name, membersConversationId }: RealmRow, site: Site): Realm | null {
  if (membersConversationId === null) return null;
  const url = new URL(site.baseUrl);
  if (name !== site.rootRealm) url.hostname = `${name}.${site.baseHost}`;
  const host = name === site.rootRealm ? site.baseHost : url.hostname;
  return { id, name, membersConversationId, host, url: url.origin };
}

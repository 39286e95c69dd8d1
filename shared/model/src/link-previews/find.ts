import { tables, type Tx } from '@parley/db';
import type { PageFacts } from '@parley/markdown';
import { and, eq, inArray, isNotNull, gt } from 'drizzle-orm';

import type { Realm } from '../actor.ts';
import { toPageAddress } from './page-address.ts';

const { linkPreviews } = tables;

const ofRealm = (realm: Realm, addresses: string[]) =>
  and(eq(linkPreviews.realmId, realm.id), inArray(linkPreviews.url, addresses));

const addressesOf = (realm: Realm, hrefs: readonly string[]): string[] => [
  ...new Set(hrefs.flatMap((href) => toPageAddress(href, realm) ?? [])),
];

/** Returns the stored previews of pages by link, however old they are. */
export async function findPagePreviews(
  tx: Tx,
  realm: Realm,
  hrefs: readonly string[],
): Promise<ReadonlyMap<string, PageFacts>> {
  const addresses = addressesOf(realm, hrefs);
  if (addresses.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(linkPreviews)
    .where(and(ofRealm(realm, addresses), isNotNull(linkPreviews.facts)));
  const factsOf = new Map(rows.map(({ url, facts }) => [url, facts]));
  return new Map(
    hrefs.flatMap((href) => {
      const facts = factsOf.get(toPageAddress(href, realm) ?? '');
      return facts ? [[href, facts]] : [];
    }),
  );
}

/** Returns the addresses of linked pages that have no fresh preview and need to be fetched. */
export async function listStalePageAddresses(
  tx: Tx,
  realm: Realm,
  hrefs: readonly string[],
  now: Date,
): Promise<string[]> {
  const addresses = addressesOf(realm, hrefs);
  if (addresses.length === 0) return [];
  const rows = await tx
    .select({ url: linkPreviews.url })
    .from(linkPreviews)
    .where(and(ofRealm(realm, addresses), gt(linkPreviews.freshUntil, now)));
  const fresh = new Set(rows.map(({ url }) => url));
  return addresses.filter((address) => !fresh.has(address));
}

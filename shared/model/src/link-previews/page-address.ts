import { pageLimits } from '@parley/protocol';

import type { Realm } from '../actor.ts';

/**
 * Returns the normalized address of a linked page, without credentials and fragment. Null for pages that get no
 * preview: those with very long addresses, and the organization's own, which show nothing without authentication.
 */
export function toPageAddress(href: string, realm: Realm): string | null {
  if (href.length > pageLimits.addressLength || !URL.canParse(href)) return null;
  const url = new URL(href);
  if (url.origin === realm.url) return null;
  url.username = '';
  url.password = '';
  url.hash = '';
  return url.href.length > pageLimits.addressLength ? null : url.href;
}

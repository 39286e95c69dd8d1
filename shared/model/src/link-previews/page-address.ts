import { pageLimits } from '@parley/protocol';

import type { Realm } from '../actor.ts';

/**
 * What a link leads to, as one page has one address; null of what is not looked at: addresses without end, and the
 * organization's own, which shows strangers nothing.
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

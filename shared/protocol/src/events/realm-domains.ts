import { z } from 'zod';

import { RealmDomain } from '../objects/realm-domain.ts';
import { eventFamily } from './family.ts';

/** A domain of the organization's email addresses. Sent to everyone in the realm. */
export const realmDomains = eventFamily('realm_domains', {
  add: { realm_domain: RealmDomain },
  change: { realm_domain: RealmDomain },
  remove: { domain: z.string() },
});

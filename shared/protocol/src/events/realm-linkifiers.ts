import { z } from 'zod';

import { Linkifier } from '../objects/linkifier.ts';
import { event } from './family.ts';

/** The organization's linkifiers, whole and in order, after any change. Sent to everyone in the realm. */
export const realmLinkifiers = event(
  'realm_linkifiers',
  { realm_linkifiers: z.array(Linkifier) },
  // Since 176: a client that cannot read url_template is told nothing.
  { forClient: (logged, client) => (client.linkifier_url_template ? [logged] : []) },
);

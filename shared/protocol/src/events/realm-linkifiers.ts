import { z } from 'zod';

import { Linkifier } from '../objects/linkifier.ts';
import { event } from './family.ts';

/** All linkifiers of the organization in order, after any change. Sent to everyone in the realm. */
export const realmLinkifiers = event(
  'realm_linkifiers',
  { realm_linkifiers: z.array(Linkifier) },
  // Since feature level 176, clients without the capability `linkifier_url_template` are not sent this event.
  { forClient: (logged, client) => (client.linkifier_url_template ? [logged] : []) },
);

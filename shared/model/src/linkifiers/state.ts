import type { Tx } from '@parley/db';
import type { Linkifier } from '@parley/protocol';

import { listLinkifiers } from './find.ts';
import { presentLinkifiers } from './present.ts';

/** Returns `realm_linkifiers` of POST /register, and the list of GET /realm/linkifiers. */
export const linkifiersState = async (tx: Tx, realmId: number): Promise<Linkifier[]> =>
  presentLinkifiers(await listLinkifiers(tx, realmId));

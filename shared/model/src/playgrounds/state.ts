import type { Tx } from '@parley/db';
import type { Playground } from '@parley/protocol';

import { listPlaygrounds } from './find.ts';
import { presentPlaygrounds } from './present.ts';

/** Returns `realm_playgrounds` of POST /register. */
export const playgroundsState = async (tx: Tx, realmId: number): Promise<Playground[]> =>
  presentPlaygrounds(await listPlaygrounds(tx, realmId));

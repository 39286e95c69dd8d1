import { z } from 'zod';

import { Playground } from '../objects/playground.ts';
import { event } from './family.ts';

/** The organization's playgrounds, all of them, after any change. Sent to everyone in the realm. */
export const realmPlaygrounds = event('realm_playgrounds', { realm_playgrounds: z.array(Playground) });

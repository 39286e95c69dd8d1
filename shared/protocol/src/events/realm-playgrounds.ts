import { z } from 'zod';

import { Playground } from '../objects/playground.ts';
import { event } from './family.ts';

/** All playgrounds of the organization, after any change. Sent to everyone in the realm. */
export const realmPlaygrounds = event('realm_playgrounds', { realm_playgrounds: z.array(Playground) });

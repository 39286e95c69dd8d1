import { z } from 'zod';

import { event } from './family.ts';

/** All alert words of a user, after any change. Sent to that user's own clients. */
export const alertWords = event('alert_words', { alert_words: z.array(z.string()) });

import { z } from 'zod';

import { event } from './family.ts';

/** A user's alert words, whole, after any change. Sent to that user's own clients. */
export const alertWords = event('alert_words', { alert_words: z.array(z.string()) });

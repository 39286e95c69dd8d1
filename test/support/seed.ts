import fc from 'fast-check';

import { seedOfDay } from './seed-of-day.ts';

/** The seed of all that tests choose at random. fast-check prints it with what fails. */
export const seed = seedOfDay;

/** Whether tests take their long form, in which they try everything instead of what the seed chooses. */
export const isNight = process.env['NIGHT'] === '1';

fc.configureGlobal({ seed });

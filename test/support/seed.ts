import fc from 'fast-check';

/**
 * The seed of all that tests choose at random: the day in UTC, so that each day tries something else and a failure of
 * the day happens again. `SEED=20260131` tries another. fast-check prints it with what fails.
 */
export const seed = Number(process.env['SEED'] || new Date().toISOString().slice(0, 10).replaceAll('-', ''));

/** Whether tests take their long form, in which they try everything instead of what the seed chooses. */
export const isNight = process.env['NIGHT'] === '1';

fc.configureGlobal({ seed });

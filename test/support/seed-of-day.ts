/** The day in UTC, so that each day tries something else and a failure of the day happens again. `SEED=20260131` tries another. */
export const seedOfDay = Number(
  process.env['SEED'] || new Date().toISOString().slice(0, 10).replaceAll('-', ''),
);

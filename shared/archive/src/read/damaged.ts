/** An archive that cannot be read, with the reason in words for whoever imports it. Nothing of it is left. */
export class ArchiveRefused extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'ArchiveRefused';
  }
}

export const damaged = (what: string) => new ArchiveRefused(`The archive is damaged: ${what}.`);

/** Classes of errors of Postgres that say something of values: they are none, contradict a constraint, or are too long. */
const ofValues = /^(?:22|23|54)/;

/** Returns the error for rows that Postgres does not take; any other error as it is. */
export function refusedByDatabase(error: unknown, table: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!ofValues.test(code)) return error;
  return new ArchiveRefused(
    `The archive is refused: rows of the table ${table} contradict each other or the rest of it.`,
  );
}

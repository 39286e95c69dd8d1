import { connectSql, readMigrationState } from '@parley/db';

/**
 * Refuses a database that a newer version of Parley has migrated: this version would put its own functions in the place
 * of newer ones, and write rows that the newer one does not expect.
 */
export async function assertKnownSchema(databaseUrl: string): Promise<void> {
  const sql = connectSql({ url: databaseUrl, name: 'start', max: 1 });
  try {
    const { applied, unknown } = await readMigrationState(sql);
    if (unknown === 0) return;
    throw new Error(
      `Its database was written by a newer version of Parley: of its ${applied} migrations, this version does not ` +
        `know the last ${unknown}. Check that version out again, or begin anew in another folder with ` +
        'PARLEY_DIR=.parley-2.',
    );
  } finally {
    await sql.end({ timeout: 5 });
  }
}

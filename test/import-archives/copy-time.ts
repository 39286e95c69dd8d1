import { exportedTables } from '@parley/archive';
import type { Sql } from '@parley/db';

/** Returns how many seconds `copy` takes for the rows of an organization, into empty tables with the same indexes. */
export async function timeCopy(sql: Sql): Promise<number> {
  const [where] = await sql<{ file: string }[]>`
    select current_setting('data_directory') || '/rows-to-copy' as file`;
  const file = where?.file ?? '';
  let seconds = 0;
  for (const { name } of exportedTables) {
    await sql.unsafe(`copy "${name}" to '${file}'`);
    await sql`create table copied (like ${sql(name)} including all)`;
    const startedMs = performance.now();
    await sql.unsafe(`copy copied from '${file}'`);
    seconds += (performance.now() - startedMs) / 1000;
    await sql`drop table copied`;
  }
  return seconds;
}

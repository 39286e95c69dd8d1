import postgres from 'postgres';

/** Opens a connection, uses it, and closes it. Throws if the server does not answer. */
export async function connectTo(
  url: string,
  use = async (sql: postgres.Sql) => void (await sql`select 1`),
): Promise<void> {
  const sql = postgres(url, {
    max: 1,
    connect_timeout: 5,
    backoff: () => 0,
    fetch_types: false,
    onnotice: () => {},
  });
  try {
    await use(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

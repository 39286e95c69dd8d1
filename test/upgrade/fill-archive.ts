import { type Sql, connectSql } from '@parley/db';

import type { ChaosRealm } from '../chaos/chaos-realm.ts';

type Say = (line: string) => void;

const perInsert = 100_000;
/** Far above the ids that are sent. */
export const firstId = 1_000_000_000;

/** Writes messages of an organization that sends nothing else. */
export async function fillArchive(
  databaseUrl: string,
  archive: ChaosRealm,
  messages: number,
  say: Say,
): Promise<void> {
  const sql = openSql(databaseUrl);
  const { realmId, members } = archive;
  for (let first = 1; first <= messages; first += perInsert) {
    const last = Math.min(messages, first + perInsert - 1);
    await sql`
      insert into messages (
        id, realm_id, conversation_id, ordinal, sender_id, sent_at, content, rendered_content, client
      )
      select ${firstId}::int + n, ${realmId}, c.conversation_id, ${firstId}::int + n, ${members[0]?.id ?? 0},
        now() - n * interval '1 second', 'number ' || n, '<p>number ' || n || '</p>', 'client ' || n % 5
      from generate_series(${first}::int, ${last}::int) n,
        lateral (select conversation_id from channels where realm_id = ${realmId} order by id limit 1) c`;
    say(`${last} of ${messages} messages written`);
  }
  await sql`analyze messages`;
  await sql.end({ timeout: 5 });
}

/** Opens a connection on which a statement may take as long as it does. */
export function openSql(databaseUrl: string): Sql {
  const sql = connectSql({ url: databaseUrl, name: 'upgrade', max: 1 });
  // Safe: there is one connection, so what follows has the setting.
  void sql`set statement_timeout = 0`.execute();
  return sql;
}

import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { root } from '../versions/history.ts';

const index = `-- online
create index concurrently messages_by_time on messages (realm_id, sent_at);
`;

/** A column gets another collation, which the nodes do not see. */
const column = `-- online
create function fill_client_beside() returns trigger language plpgsql as $$
begin
  new.client_beside := new.client;
  return new;
end
$$;
begin;
lock table messages in access exclusive mode;
alter table messages add column client_beside text collate "C";
create trigger fill_client_beside before insert or update on messages
  for each row execute function fill_client_beside();
commit;
-- backfill messages m
update messages m set client_beside = m.client where portion and m.client_beside is null;
create index concurrently messages_by_client on messages (realm_id, client_beside);
alter table messages add constraint messages_have_client check (client_beside is not null) not valid;
alter table messages validate constraint messages_have_client;
begin;
lock table messages in access exclusive mode;
drop trigger fill_client_beside on messages;
alter table messages alter column client_beside set not null;
alter table messages drop constraint messages_have_client;
alter table messages drop column client;
alter table messages rename column client_beside to client;
commit;
drop function fill_client_beside();
drop index concurrently messages_by_time;
create index concurrently messages_by_time on messages (realm_id, sent_at desc);
`;

/** The same ends, as they are reached by whoever does not think of those who write meanwhile. */
const atOnce = `alter table messages alter column client type text collate "C" using client || '';
create index messages_by_client on messages (realm_id, client);
create index messages_by_time on messages (realm_id, sent_at desc);
`;

/** Writes the migrations of this version into a folder, and some after them. Returns how many there are before these. */
export async function writeMigrations(folder: string, isAtOnce: boolean): Promise<void> {
  await mkdir(folder, { recursive: true });
  await cp(join(root, 'shared/db/migrations'), folder, { recursive: true });
  const first = (await readdir(folder)).length;
  const added = isAtOnce ? [atOnce] : [index, column];
  for (const [at, sql] of added.entries()) {
    await writeFile(join(folder, `${String(first + at).padStart(4, '0')}_tried.sql`), sql);
  }
}

import * as actions from '@parley/actions';
import { type Sql, connectSql } from '@parley/db';
import { type Engine, senderById } from '@parley/engine';
import * as model from '@parley/model';

import { channelNames } from '../chaos/chaos-realm.ts';
import type { Organization } from './organizations.ts';

/** Something that jobs have to do in an organization. */
interface DueWork {
  what: string;
  /** Returns whether it waits to be done. It asks the server of the organization. */
  readonly waits: (at: At) => Promise<boolean>;
}

/** An organization as its server knows it, in the time of the jobs. */
export interface At {
  engine: Engine;
  organization: Organization;
  now: Date;
  /** Connects to the server that holds it. */
  holder: Sql;
}

const isThere = (rows: readonly unknown[]) => rows.length > 0;

/** What jobs do about organizations, each found by another of them. */
export const dueWork: readonly DueWork[] = [
  {
    what: 'words to collect',
    waits: async ({ engine, organization: { realmId } }) => {
      const waiting = { messages: 200, realmIds: [realmId] };
      return isThere(await model.messages.listRealmsToCollect(await engine.dbOf(realmId), waiting, 1));
    },
  },
  {
    what: 'people to notify',
    waits: async ({ engine, organization: { realmId }, now, holder }) => {
      const db = await engine.dbOf(realmId);
      const due = await model.notifications.listDueNotifications(db, { now, realmIds: [realmId] }, 1);
      const cursors = await holder`select from notification_cursors where realm_id = ${realmId} and seq > 0`;
      return isThere(due) || !isThere(cursors);
    },
  },
  {
    what: 'an export',
    waits: async ({ organization: { realmId }, holder }) =>
      isThere(await holder`select from realm_exports where realm_id = ${realmId} and status <> 'succeeded'`),
  },
  {
    what: 'an import that nobody goes on with',
    waits: async ({ engine, organization: { realmId }, now }) => {
      const db = await engine.dbOf(realmId);
      return isThere(await model.archiveImports.listAbandonedImports(db, { now, realmIds: [realmId] }, 1));
    },
  },
  {
    what: 'expired messages',
    waits: async ({ engine, organization: { realmId }, now }) => {
      const db = await engine.dbOf(realmId);
      return isThere(await model.messages.listExpiredPlaces(db, { now, realmIds: [realmId] }, 1));
    },
  },
  {
    what: 'old entries of the log',
    waits: async ({ organization: { realmId }, holder }) =>
      isThere(
        await holder`select from event_log where realm_id = ${realmId} and appended_at < now() - interval '90 minutes'`,
      ),
  },
  {
    what: 'old deleted messages',
    waits: async ({ organization: { realmId }, holder }) =>
      isThere(
        await holder`select from archived_messages where realm_id = ${realmId} and deleted_at < now() - interval '35 days'`,
      ),
  },
  {
    what: 'traffic to measure',
    waits: async ({ engine, organization: { realmId }, now }) => {
      const asked = { since: new Date(now.getTime() - 86_400_000), realmIds: [realmId] };
      return isThere(await model.channels.listRealmsToMeasure(await engine.dbOf(realmId), asked, 1));
    },
  },
  {
    what: 'an index to merge',
    waits: async ({ organization: { realmId }, holder }) => {
      const [row] = await holder<{ pages: string }[]>`
        select pending_pages as pages from pgstatginindex((
          'messages_search_keys_' || get_shard_id_for_distribution_column('messages', ${realmId}::int))::regclass)`;
      return Number(row?.pages) > 0;
    },
  },
];

/** Connects to the server that holds an organization, and lets it say what waits for its indexes. */
export async function connectToHolder(url: string): Promise<AsyncDisposable & { sql: Sql }> {
  const sql = connectSql({ url, name: 'due-work', max: 1 });
  await sql`set citus.enable_ddl_propagation to off`;
  await sql`create extension if not exists pgstattuple`;
  return { sql, [Symbol.asyncDispose]: () => sql.end({ timeout: 5 }) };
}

export const siteOfJobs: model.realms.Site = {
  baseUrl: 'http://localhost',
  baseHost: 'localhost',
  rootRealm: 'demo',
  fakeEmailDomain: 'fake.invalid',
};

/** Sees to it that all of it is due in an organization. */
export async function makeDue({ engine, organization, holder }: At): Promise<void> {
  const { realmId, members } = organization;
  const [author] = members;
  const realm = model.realms.realmAt(await model.realms.getRealm(engine.db, realmId), siteOfJobs);
  if (!realm || !author) throw new Error('An organization lacks people.');
  // As where so many messages have come that nobody has collected.
  await holder`update realm_heads set message_id = message_id + 300 where realm_id = ${realmId}`;
  const recipient = { type: 'channel', channel: channelNames.square, topic: 'jobs' } as const;
  for (const content of ['@**Member2** look', 'one more', 'and another']) {
    await engine.sendMessage({
      realm,
      sender: senderById(realm, author.id),
      recipient,
      text: { content, client: 'jobs', readBySender: true, echo: null },
    });
  }
  await holder`
    update messages set sent_at = now() - interval '3 days'
    where realm_id = ${realmId} and id = (select min(id) from messages where realm_id = ${realmId})`;
  await holder`
    update channels set message_retention_days = 1 where realm_id = ${realmId} and name = ${channelNames.square}`;
  await holder`
    update event_log set appended_at = now() - interval '2 hours' where realm_id = ${realmId} and seq < 3`;
  await holder`
    insert into archived_messages (realm_id, id, deleted_at, message)
    values (${realmId}, 1, now() - interval '40 days', '{}')`;
  await holder`
    insert into archive_imports (realm_id, upload_id, user_id, file_name, bytes, created_at, expires_at)
    values (${realmId}, 'abandoned', ${author.id}, 'archive.zip', 1, now() - interval '9 days', now() - interval '1 day')`;
  await engine.perform(realmId, actions.exports.requestEverything, {
    realm: { id: realmId },
    now: new Date(),
  });
}

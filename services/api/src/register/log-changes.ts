import type { Tx } from '@parley/db';
import { events } from '@parley/protocol';
import { sql } from 'drizzle-orm';

/** What an entry changes of the state that registrations share. */
type Change = 'nothing' | 'users' | 'groups' | 'users and groups' | 'everything';

/** By event. Whatever changes of users and groups is said by an entry of one of these. */
const changeOf: Record<keyof typeof events, Change> = {
  attachment: 'nothing',
  alertWords: 'nothing',
  channelFolder: 'nothing',
  // Values go with their field.
  customProfileFields: 'everything',
  defaultStreamGroups: 'nothing',
  defaultStreams: 'nothing',
  deleteMessage: 'nothing',
  drafts: 'nothing',
  invitesChanged: 'nothing',
  keyRegenerated: 'nothing',
  // Made-up addresses are below the organization's own.
  realmRenamed: 'everything',
  message: 'nothing',
  mutedTopics: 'nothing',
  mutedUsers: 'nothing',
  navigationView: 'nothing',
  onboardingSteps: 'nothing',
  realm: 'nothing',
  realmBot: 'users',
  reaction: 'nothing',
  realmDomains: 'nothing',
  realmEmoji: 'nothing',
  realmExport: 'nothing',
  realmExportConsent: 'nothing',
  realmLinkifiers: 'nothing',
  realmPlaygrounds: 'nothing',
  realmUser: 'users and groups',
  reminders: 'nothing',
  room: 'nothing',
  savedSnippets: 'nothing',
  scheduledMessages: 'nothing',
  stream: 'nothing',
  submessage: 'nothing',
  subscription: 'nothing',
  updateMessageFlags: 'nothing',
  updateMessage: 'nothing',
  userGroup: 'groups',
  userStatus: 'nothing',
  userTopic: 'nothing',
  realmUserSettingsDefaults: 'nothing',
  // Nobody else need be told who may see an address, if nobody could.
  userSettings: 'users',
};

const typesThat = (...changes: Change[]): string[] =>
  Object.entries(changeOf).flatMap(([name, change]) =>
    // Safe: the table has the names of events.
    changes.includes(change) ? [events[name as keyof typeof events].type] : [],
  );

const textArray = (texts: readonly string[]) => sql`${`{${texts.join()}}`}::text[]`;

const harmless = textArray(typesThat('nothing'));
const known = new Set(typesThat('users', 'groups', 'users and groups'));
const ofGroups = new Set(typesThat('groups'));

/** What has changed of the state that registrations share. */
export interface LogChanges {
  /** Those whose entries in the lists of users may be others. */
  users: ReadonlySet<number>;
  areGroupsChanged: boolean;
}

interface ChangedEntry {
  type: string;
  ids: (number | null)[];
  /** Whether somebody came, went or got another role: then groups have other members. */
  isMember: boolean;
}

/**
 * Returns what the entries after `last` have changed, up to `seq`. Null if that may be anything: an entry is not there any
 * more, or is about everybody.
 */
export async function listChanges(
  tx: Tx,
  realmId: number,
  last: number,
  seq: number,
): Promise<LogChanges | null> {
  const [row] = await tx.execute<{ count: number; changed: ChangedEntry[] | null }>(sql`
    with typed as materialized (
      select seq, entry #>> '{event,type}' as type from event_log
      where realm_id = ${realmId} and seq > ${last} and seq <= ${seq}
    ), changed as (
      select type, case type
          when 'realm_user' then
            array(select (p ->> 'user_id')::int from json_array_elements(entry #> '{event,people}') p)
            || (entry #>> '{event,person,user_id}')::int
          when 'realm_bot' then array[(entry #>> '{event,bot,user_id}')::int]
          when 'user_settings' then array(select json_array_elements_text(entry #> '{audience,users}')::int)
          else '{}'
        end as ids,
        type = 'realm_user' and (entry #>> '{event,op}' = 'add'
          or entry #> '{event,person,role}' is not null
          or entry #> '{event,person,is_active}' is not null) as is_member
      from typed join event_log using (seq)
      where realm_id = ${realmId} and type <> all(${harmless})
    )
    select (select count(*)::int from typed) as count,
      (select json_agg(json_build_object('type', type, 'ids', ids, 'isMember', is_member)) from changed) as changed`);
  const changed = row?.changed ?? [];
  if (row?.count !== seq - last || changed.some(({ type }) => !known.has(type))) return null;
  return {
    users: new Set(changed.flatMap(({ ids }) => ids).filter((id) => id !== null)),
    areGroupsChanged: changed.some(({ type, isMember }) => isMember || ofGroups.has(type)),
  };
}

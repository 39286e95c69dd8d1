import type { JsonTables } from '../json-tables.ts';
import type { Tally } from '../report.ts';

/** Tables of which nothing is kept, and why. */
const leftOut: Readonly<Record<string, string>> = {
  zerver_realmauditlog: 'the log of changes; ours begins with the import',
  zerver_realmexport: 'exports are those of the server that made them',
  zerver_useractivityinterval: 'when people were active is counted anew',
  zerver_botconfigdata: 'the server runs no code of bots',
  zerver_externalauthid: 'accounts of other services are linked when people sign in with them',
  zerver_onboardingusermessage: 'the server sends other messages of welcome',
};

/** Tables of which rows become others, are only read for what others say, or follow from others. */
const used: ReadonlySet<string> = new Set([
  'zerver_alertword',
  'zerver_botstoragedata',
  'zerver_channelfolder',
  'zerver_client',
  'zerver_customprofilefield',
  'zerver_customprofilefieldvalue',
  'zerver_defaultstream',
  'zerver_groupgroupmembership',
  'zerver_huddle',
  'zerver_muteduser',
  'zerver_namedusergroup',
  'zerver_navigationview',
  'zerver_onboardingstep',
  'zerver_presencesequence',
  'zerver_reaction',
  'zerver_realm',
  'zerver_realmauthenticationmethod',
  'zerver_realmdomain',
  'zerver_realmemoji',
  'zerver_realmfilter',
  'zerver_realmplayground',
  'zerver_realmuserdefault',
  'zerver_recipient',
  'zerver_savedsnippet',
  'zerver_scheduledmessage',
  'zerver_service',
  'zerver_stream',
  'zerver_subscription',
  'zerver_useractivity',
  'zerver_usergroup',
  'zerver_usergroupmembership',
  'zerver_userpresence',
  'zerver_userprofile',
  'zerver_userprofile_crossrealm',
  'zerver_userprofile_mirrordummy',
  'zerver_userstatus',
  'zerver_usertopic',
]);

/** Counts the rows of tables that have no place here. */
export function noteLeftOut(tables: JsonTables, tally: Tally): void {
  for (const table of tables.names) {
    if (used.has(table)) continue;
    const reason = leftOut[table] ?? 'the table is not known here';
    tally.leaveOut('others', `${table.slice(0, 60)}: ${reason}`, tables.countOf(table));
  }
}

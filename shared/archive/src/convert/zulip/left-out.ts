import type { ReasonCode } from '@parley/protocol';

import type { JsonTables } from '../json-tables.ts';
import { because } from '../reasons.ts';
import type { Tally } from '../report.ts';

type TableReason = Extract<ReasonCode, `table_${string}`>;

/** Tables of which nothing is kept, and why. */
const leftOut: Readonly<Record<string, TableReason>> = {
  zerver_realmauditlog: 'table_of_changes',
  zerver_realmexport: 'table_of_exports',
  zerver_useractivityinterval: 'table_of_activity',
  zerver_botconfigdata: 'table_of_bot_code',
  zerver_externalauthid: 'table_of_sign_ins',
  zerver_onboardingusermessage: 'table_of_welcomes',
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
    const code = leftOut[table] ?? 'table_unknown';
    tally.leaveOut('others', because(code, { table: table.slice(0, 60) }), tables.countOf(table));
  }
}

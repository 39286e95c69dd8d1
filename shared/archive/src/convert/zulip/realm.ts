import { limits } from '@parley/protocol';

import type { JsonTables } from '../json-tables.ts';
import { shorten } from '../texts.ts';
import type { Directory } from './directory.ts';
import type { Groups } from './groups.ts';
import type { Places } from './places.ts';
import { realmPermissionsOf, realmSettingsOf, signInOf, userDefaultsOf } from './settings.ts';
import { firstTime, isTrue, textOf, timeOf } from './values.ts';

interface RealmOptions {
  tables: JsonTables;
  directory: Directory;
  groups: Groups;
  places: Places;
  name: string;
  /** The columns of its pictures. */
  pictures: object;
}

/** Yields the row of the organization. */
export async function* realmRows(options: RealmOptions): AsyncGenerator<object> {
  const { tables, directory, groups, places, name, pictures } = options;
  const { realm, realmId, tally } = directory;
  yield {
    id: realmId,
    name,
    display_name: shorten(textOf(realm, 'name').trim() || name, limits.realmNameLength),
    description: shorten(textOf(realm, 'description'), limits.realmDescriptionLength),
    rendered_description: '',
    created_at: timeOf(realm, 'date_created') ?? firstTime,
    is_active: !isTrue(realm, 'deactivated'),
    members_conversation_id: places.membersConversation,
    upload_quota_mib: null,
    ...pictures,
    settings: realmSettingsOf(directory),
    group_settings: realmPermissionsOf(directory, groups),
    authentication_methods: await signInOf(tables, tally),
    user_defaults: await userDefaultsOf(tables, tally),
  };
  if (isTrue(realm, 'deactivated')) {
    tally.note('was_deactivated');
  }
}

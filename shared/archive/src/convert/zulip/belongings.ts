import { createHash } from 'node:crypto';

import * as model from '@parley/model';
import { profileFieldTypes } from '@parley/protocol';

import { isProfileValue } from '../../schemas/profiles.ts';
import type { JsonTables } from '../json-tables.ts';
import type { Json } from '../json.ts';
import type { Directory } from './directory.ts';
import { countOf, firstTime, idOf, isTrue, textOf, timeOf } from './values.ts';

/** Makes a row here of a row of a table there; null of one that has no place here. */
type Mapping = (row: Json, directory: Directory) => object | null;

const user = (row: Json, { accounts }: Directory, ...columns: readonly string[]): number | null => {
  const id = idOf(row, ...columns);
  return id !== undefined && accounts.has(id) ? id : null;
};

/** Returns a row that belongs to an account, if the archive has it. */
const ofUser =
  (column: string, rest: (row: Json, directory: Directory) => object | null): Mapping =>
  (row, directory) => {
    const [owner, own] = [user(row, directory, column), rest(row, directory)];
    return owner === null || own === null ? null : { user_id: owner, ...own };
  };

const text = profileFieldTypes;

/** Returns what says how a field of the profile is filled in. */
function fieldDataOf(row: Json): string {
  const type = row['field_type'];
  if (type !== text.SELECT.id && type !== text.EXTERNAL_ACCOUNT.id) return '';
  const data = textOf(row, 'field_data');
  // A kind of account that has no name here is one with an address of its own.
  return data.includes('"twitter"')
    ? JSON.stringify({ subtype: 'custom', url_pattern: 'https://twitter.com/%(username)s' })
    : data;
}

/** Returns an emoji’s columns: nothing stands for no emoji, and the extra one has another name here. */
export function emojiOf(row: Json): { emoji_name: string; emoji_code: string; reaction_type: string } {
  const [name, code, type] = [
    textOf(row, 'emoji_name'),
    textOf(row, 'emoji_code'),
    textOf(row, 'reaction_type'),
  ];
  if (name === '') return { emoji_name: '', emoji_code: '', reaction_type: '' };
  return {
    emoji_name: name,
    emoji_code: code,
    reaction_type: type === 'zulip_extra_emoji' ? model.emoji.extraEmoji.type : type || 'unicode_emoji',
  };
}

/** Returns the token of a bot’s service: one of our form, made of its own, unless that has the form already. */
const tokenOf = (token: string, bot: number): string =>
  /^[0-9a-f]{32}$/.test(token)
    ? token
    : createHash('sha256').update(`${bot} ${token}`).digest('hex').slice(0, 32);

const realm = ({ realmId }: Directory) => ({ realm_id: realmId });

/** How rows of tables become rows of ours: the table there, the table here, and the mapping. */
export const mappings: Readonly<Record<string, { from: string; map: Mapping }>> = {
  realm_domains: {
    from: 'zerver_realmdomain',
    map: (row, directory) => ({
      id: idOf(row, 'id'),
      ...realm(directory),
      domain: textOf(row, 'domain'),
      allow_subdomains: isTrue(row, 'allow_subdomains'),
    }),
  },
  linkifiers: {
    from: 'zerver_realmfilter',
    map: (row, directory) => ({
      id: idOf(row, 'id'),
      ...realm(directory),
      pattern: textOf(row, 'pattern'),
      url_template: textOf(row, 'url_template'),
      position: countOf(row, 'order'),
    }),
  },
  playgrounds: {
    from: 'zerver_realmplayground',
    map: (row, directory) => ({
      id: idOf(row, 'id'),
      ...realm(directory),
      name: textOf(row, 'name'),
      language: textOf(row, 'pygments_language'),
      url_template: textOf(row, 'url_template'),
    }),
  },
  custom_profile_fields: {
    from: 'zerver_customprofilefield',
    map: (row, directory) => ({
      id: idOf(row, 'id'),
      ...realm(directory),
      name: textOf(row, 'name'),
      hint: textOf(row, 'hint'),
      type: row['field_type'],
      field_data: fieldDataOf(row),
      position: countOf(row, 'order'),
      is_required: isTrue(row, 'required'),
      is_editable_by_user: isTrue(row, 'editable_by_user', true),
      is_in_summary: isTrue(row, 'display_in_profile_summary'),
    }),
  },
  alert_words: {
    from: 'zerver_alertword',
    map: ofUser('user_profile', (row, directory) => ({ ...realm(directory), word: textOf(row, 'word') })),
  },
  muted_users: {
    from: 'zerver_muteduser',
    map: ofUser('user_profile', (row, directory) => {
      const muted = user(row, directory, 'muted_user');
      return muted === null
        ? null
        : { muted_user_id: muted, muted_at: timeOf(row, 'date_muted') ?? firstTime };
    }),
  },
  user_statuses: {
    from: 'zerver_userstatus',
    map: ofUser('user_profile', (row) => ({
      text: textOf(row, 'status_text'),
      ...emojiOf(row),
      away: false,
    })),
  },
  bot_storage: {
    from: 'zerver_botstoragedata',
    map: ofUser('bot_profile', (row) => ({
      key: textOf(row, 'key'),
      value: textOf(row, 'value'),
      characters: 0,
      bytes: 0,
    })),
  },
  saved_snippets: {
    from: 'zerver_savedsnippet',
    map: ofUser('user_profile', (row) => ({
      id: idOf(row, 'id'),
      title: textOf(row, 'title'),
      content: textOf(row, 'content'),
      created_at: timeOf(row, 'date_created') ?? firstTime,
    })),
  },
  navigation_views: {
    from: 'zerver_navigationview',
    map: ofUser('user', (row) => ({
      id: idOf(row, 'id'),
      fragment: textOf(row, 'fragment'),
      is_pinned: isTrue(row, 'is_pinned'),
      name: typeof row['name'] === 'string' ? textOf(row, 'name') : null,
    })),
  },
  onboarding_steps_seen: {
    from: 'zerver_onboardingstep',
    map: ofUser('user', (row) => ({ name: textOf(row, 'onboarding_step') })),
  },
  bot_services: {
    from: 'zerver_service',
    map: (row, directory) => {
      const bot = user(row, directory, 'user_profile');
      return bot === null
        ? null
        : {
            bot_id: bot,
            base_url: textOf(row, 'base_url'),
            interface: row['interface'],
            token: tokenOf(textOf(row, 'token'), bot),
            failures: 0,
            paused_until: null,
          };
    },
  },
};

/** Yields values of the fields of profiles, as far as the fields are there and can have them. */
export async function* profileValueRows(
  tables: JsonTables,
  directory: Directory,
  hasField: (id: number) => boolean,
): AsyncGenerator<object> {
  const fields = new Map<number, { type: number; fieldData: string }>();
  for await (const { rows } of tables.rows('zerver_customprofilefield')) {
    for (const row of rows) {
      fields.set(idOf(row, 'id') ?? 0, { type: Number(row['field_type']), fieldData: fieldDataOf(row) });
    }
  }
  for await (const { rows } of tables.rows('zerver_customprofilefieldvalue')) {
    for (const row of rows) {
      const [owner, id] = [user(row, directory, 'user_profile'), idOf(row, 'field') ?? 0];
      const field = hasField(id) ? fields.get(id) : undefined;
      const isOfText = field?.type === text.SHORT_TEXT.id || field?.type === text.LONG_TEXT.id;
      const value = textOf(row, 'value');
      if (owner !== null && field && isPossible(field, value, isOfText, directory)) {
        yield { user_id: owner, field_id: id, value, rendered_value: isOfText ? '' : null };
      } else directory.tally.leaveOut('others', 'profile_value');
    }
  }
}

function isPossible(
  field: { type: number; fieldData: string },
  value: string,
  isOfText: boolean,
  { accounts }: Directory,
): boolean {
  try {
    if (!isProfileValue(field, value, isOfText)) return false;
    if (field.type !== text.USER.id) return true;
    const named: unknown = JSON.parse(value);
    return Array.isArray(named) && named.every((id) => accounts.has(Number(id)));
  } catch {
    return false;
  }
}

/** Yields when accounts were last seen, each with a number of its own. */
export async function* presenceRows(tables: JsonTables, directory: Directory): AsyncGenerator<object> {
  const found: { id: number; row: Json }[] = [];
  for await (const { rows } of tables.rows('zerver_userpresence')) {
    for (const row of rows) {
      const id = user(row, directory, 'user_profile');
      const { last_active_time: active, last_connected_time: idle } = row;
      const order = countOf(row, 'last_update_id');
      if (id !== null) found.push({ id, row: { active, idle, order } });
    }
  }
  found.sort((a, b) => Number(a.row['order']) - Number(b.row['order']) || a.id - b.id);
  const seen = new Set<number>();
  let last = 0;
  for (const { id, row } of found) {
    if (seen.has(id)) continue;
    seen.add(id);
    last = Math.max(last + 1, Number(row['order']));
    yield {
      user_id: id,
      ...realm(directory),
      active_at: timeOf(row, 'active'),
      idle_at: timeOf(row, 'idle'),
      update_id: last,
    };
  }
}

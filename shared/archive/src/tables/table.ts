/** A sequence of numbers that rows draw from: the ids of a table, or the numbers of presence updates. */
export type Numbers = string;

/**
 * What a column holds that is another number in another deployment: ids of a table (one, or an array), or a value in
 * which ids stand. `plain` holds none.
 */
export type Reference =
  | { ids: Numbers }
  | 'plain'
  | 'permissions'
  | 'realm settings'
  | 'message ranges'
  | 'remembered message'
  | 'text'
  | 'path'
  | 'profile value'
  | 'emoji code'
  | 'draft recipients'
  | 'submessage';

/** Which rows an export may contain. */
export interface Scope {
  realmId: number;
  /**
   * The ids of those who consent to the export of what is private of theirs; null for an export of everything. Nobody
   * consents to an export of what is public.
   */
  consenting: readonly number[] | null;
  /** Whether it contains what only administrators see. */
  isPublic: boolean;
}

/** A table of which rows are exported. Conditions are SQL over its alias `t`. */
export interface ExportedTable {
  name: string;
  /** The rows of a realm. */
  readonly rows: (realmId: number) => string;
  /**
   * The rows of an export that is not of everything: all of them by default, none for `never`. Each table that they are
   * looked up in says the realm by its number: a server of a divided database knows it of no other row.
   */
  shared?: 'never' | ((scope: Scope) => string);
  /**
   * Whose row it is, as SQL. Of those who do not consent, the columns in `blanked` are exported as these SQL values.
   */
  owner?: string;
  blanked?: Readonly<Record<string, string>>;
  /** Columns that only an export of everything contains, and the SQL values that others have instead. */
  secrets?: Readonly<Record<string, string>>;
  /** Columns that belong to a running deployment: what an import gives them. */
  reset?: Readonly<Record<string, unknown>>;
  /** Columns that no export contains: they follow from others. */
  omitted?: readonly string[];
  /** Its rows get the realm's id when they are imported: archives do not have it. */
  takesRealm?: true;
  /** The numbers that its rows draw from a sequence, if they do, and the column they are in: `id` by default. */
  draws?: Numbers;
  drawnIn?: string;
  refs: Readonly<Record<string, Reference>>;
  /**
   * Columns that may refer to a row which an export for administrators does not contain. There an import writes null,
   * leaves the id out of a list, or leaves out the whole row.
   */
  loose?: Readonly<Record<string, 'null' | 'omit' | 'row'>>;
  /** Rows that refer to others of the table come after these. */
  order: string;
  /** Its rows belong to messages and are exported with them, by `message_id`. */
  ofMessages?: true;
}

/** Returns SQL for an array of numbers. */
export const array = (numbers: readonly number[]) => `'{${numbers.map(Number).join(',')}}'::int[]`;

/** Returns the same of ids that are bigint. */
export const bigintArray = (numbers: readonly number[]) => `'{${numbers.map(Number).join(',')}}'::bigint[]`;

/** Tables whose rows say the realm, and in archives never did. */
export const withoutRealm = { omitted: ['realm_id'], takesRealm: true } as const;

export const inRealm = (realmId: number) => `t.realm_id = ${realmId}`;

/** Returns rows of those who consent. */
export const ofConsenting =
  (column = 'user_id') =>
  ({ consenting }: Scope) =>
    consenting === null ? 'true' : `t.${column} = any(${array(consenting)})`;

/** Returns channels that are public, and private ones of those who consent. */
export const sharedChannel = (alias: string, { consenting, realmId }: Scope): string =>
  consenting === null
    ? 'true'
    : `(not ${alias}.is_private or exists (
        select from conversation_members s
        where s.realm_id = ${realmId} and s.conversation_id = ${alias}.conversation_id and s.is_subscribed
          and s.user_id = any(${array(consenting)})))`;

/** Returns messages in public channels, and those that somebody who consents may read. */
export const sharedMessage = (alias: string, scope: Scope): string => {
  const { consenting, realmId } = scope;
  if (consenting === null) return 'true';
  const isPublic = `${alias}.channel_id in (select id from channels where realm_id = ${realmId} and not is_private)`;
  if (consenting.length === 0) return isPublic;
  const received = (user: string) => `exists (
    select from conversation_members r
    where r.realm_id = ${realmId} and r.conversation_id = ${alias}.conversation_id and r.user_id = ${user}
      and r.received @> ${alias}.ordinal)`;
  return `(${isPublic}
    or (${alias}.channel_id is null and ${received(`any(${array(consenting)})`)})
    or exists (
      select from channels c join conversation_members s on s.realm_id = c.realm_id and s.conversation_id = c.conversation_id
      where c.realm_id = ${realmId} and c.id = ${alias}.channel_id and s.is_subscribed and s.user_id = any(${array(consenting)})
        and (c.shares_history or ${received('s.user_id')})))`;
};

export const ids = (numbers: Numbers): Reference => ({ ids: numbers });

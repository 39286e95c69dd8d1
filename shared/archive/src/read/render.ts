import type { Sql } from '@parley/db';

import type { Numbering } from './numbering.ts';
import { type Renderer, type Text, currentVersion } from './renderer.ts';
import { inTransaction } from './writing.ts';

/** Texts of which HTML is made at once. */
const textsPerStep = 100;

interface Rendered {
  id: number;
  html: string;
}

/** A column with the HTML of a text, which is empty until it is made. */
interface Carrier {
  table: string;
  /** The column with the HTML. */
  html: string;
  /** SQL of the realm that a row is of: messages of others have the same numbers. */
  realm: string;
  /** What else is written with it. */
  also?: string;
  /** Returns SQL that reads the next texts after a number and up to another: `id`, `author`, `content`, `written`. */
  readonly texts: (realmId: number, after: number, last: number) => string;
  isMessage: boolean;
  /** Whether previews of pages are shown below it. */
  hasPages?: boolean;
}

const inRealm = 't.realm_id';

/** Returns SQL that reads texts of a table. */
const select =
  (
    table: string,
    { author, content, html, realm }: { author: string; content: string; html: string; realm: string },
    { written = 'null::timestamptz', from = '' } = {},
  ) =>
  (realmId: number, after: number, last: number) =>
    `select t.id, ${author} as author, ${content} as content, ${written} as written
      from ${table} t ${from} where t.id > ${after} and t.id <= ${last} and ${realm} = ${realmId}
        and ${html} = '' and ${content} <> ''
      order by 1 limit ${textsPerStep}`;

const described = (table: string, author: string, realm = inRealm): Carrier => ({
  table,
  realm,
  html: 'rendered_description',
  isMessage: false,
  texts: select(table, { author, content: 't.description', html: 't.rendered_description', realm }),
});

/** Everything that holds HTML, in the order in which it is made: what others show comes first. */
const carriers: readonly Carrier[] = [
  described('realms', 'null::int', 't.id'),
  described('channel_folders', 't.creator_id'),
  described('channels', 't.creator_id'),
  {
    table: 'messages',
    realm: inRealm,
    html: 'rendered_content',
    also: `rendered_version = ${currentVersion}`,
    isMessage: true,
    hasPages: true,
    texts: select(
      'messages',
      { author: 't.sender_id', content: 't.content', html: 't.rendered_content', realm: inRealm },
      { written: 't.sent_at' },
    ),
  },
  {
    table: 'message_edits',
    realm: inRealm,
    html: 'prev_rendered_content',
    isMessage: true,
    hasPages: true,
    texts: select(
      'message_edits',
      {
        author: 'm.sender_id',
        content: 't.prev_content',
        html: 't.prev_rendered_content',
        realm: inRealm,
      },
      { written: 'm.sent_at', from: 'join messages m on m.realm_id = t.realm_id and m.id = t.message_id' },
    ),
  },
  ...(['scheduled_messages', 'reminders'] as const).map((table): Carrier => ({
    table,
    realm: inRealm,
    html: 'rendered_content',
    isMessage: table === 'scheduled_messages',
    texts: select(table, {
      author: 't.user_id',
      content: 't.content',
      html: 't.rendered_content',
      realm: inRealm,
    }),
  })),
];

/**
 * Makes the HTML of all texts of a realm that have none yet, some at a time. One that was made in an earlier run stays.
 */
export async function renderAll(
  sql: Sql,
  renderer: Renderer,
  numbering: Numbering,
  realmId: number,
): Promise<void> {
  for (const carrier of carriers) {
    const [first, greatest] = numbering.span(carrier.table);
    for (let after = first - 1; ;) {
      const rows = await sql.unsafe<
        { id: number; author: number | null; content: string; written: Date | null }[]
      >(carrier.texts(realmId, after, greatest));
      const last = rows.at(-1);
      if (!last) break;
      const texts = rows.map(({ id, author, content, written }) => ({
        id: Number(id),
        authorId: author,
        content,
        writtenAt: written ?? new Date(),
      }));
      await write(sql, realmId, carrier, await htmlOf(renderer, carrier, texts));
      after = Number(last.id);
    }
  }
  await renderProfiles(sql, renderer, realmId);
}

async function htmlOf(
  renderer: Renderer,
  { isMessage, hasPages = false }: Carrier,
  texts: readonly Text[],
): Promise<Rendered[]> {
  if (isMessage) {
    const html = await renderer.renderMessages(texts, { pages: hasPages });
    return [...html].map(([id, one]) => ({ id, html: one }));
  }
  const rendered: Rendered[] = [];
  for (const text of texts) rendered.push({ id: text.id, html: await renderer.renderText(text) });
  return rendered;
}

const write = async (
  sql: Sql,
  realmId: number,
  { table, realm, html, also }: Carrier,
  rendered: readonly Rendered[],
) =>
  await inTransaction(sql, (tx) =>
    // The ids stand by themselves as well: Postgres, which knows nothing yet of a table that was filled a moment ago, finds
    // the rows by them, and does not read those of the whole realm.
    tx.unsafe(
      `update ${table} t set ${html} = n.html ${also === undefined ? '' : `, ${also}`}
        from unnest($1::bigint[], $2::text[]) n (id, html)
        where ${realm} = ${realmId} and t.id = any($1::bigint[]) and t.id = n.id`,
      [rendered.map(({ id }) => id), rendered.map((one) => one.html)],
    ),
  );

/** Values of profile fields have no ids of their own: those of one account are made together. */
async function renderProfiles(sql: Sql, renderer: Renderer, realmId: number): Promise<void> {
  for (let after = 0; ;) {
    const rows = await sql<{ user: number; field: number; value: string }[]>`
      select v.user_id as user, v.field_id as field, v.value from custom_profile_values v
      where v.rendered_value = '' and v.realm_id = ${realmId} and v.user_id in (
        select id from users where realm_id = ${realmId} and id > ${after} order by id limit ${textsPerStep})`;
    const [{ last } = { last: null }] = await sql<{ last: number | null }[]>`
      select max(id) as last from (
        select id from users where realm_id = ${realmId} and id > ${after} order by id limit ${textsPerStep}) u`;
    for (const { user, field, value } of rows) {
      const text = { id: user, authorId: user, content: value, writtenAt: new Date() };
      const html = await renderer.renderText(text);
      await sql`
        update custom_profile_values set rendered_value = ${html} 
        where realm_id = ${realmId} and user_id = ${user} and field_id = ${field}`;
    }
    if (last === null) return;
    after = last;
  }
}

import type { Sql } from '@parley/db';

import type { Numbering } from '../read/numbering.ts';
import { readTable } from '../read/read-rows.ts';
import { createResolver } from '../read/resolve.ts';
import { type Survey, tableOf } from '../read/survey.ts';
import type { Growth } from './growth.ts';
import type { MessageNumbers } from './message-numbers.ts';

/** How many messages that were there already have followed their source. */
export interface FollowedTexts {
  changed: number;
  removed: number;
  /** Their texts have changed at the source, and here as well: they stay as they are here. */
  keptAsEdited: number;
}

/** What follows its source, and by what it is found. */
export interface Following {
  sql: Sql;
  realmId: number;
  archive: string;
  survey: Survey;
  numbering: Numbering;
  numbers: MessageNumbers;
  growth: Growth;
}

/**
 * Changes the texts of messages that earlier archives brought to those that the source has now, and deletes those that it has
 * no longer. What somebody has edited here stays as it is.
 */
export async function followTexts(following: Following): Promise<FollowedTexts> {
  const { sql, realmId, numbers, growth } = following;
  const followed: FollowedTexts = { changed: 0, removed: 0, keptAsEdited: 0 };
  // What has all come with this archive is not read again.
  if (!numbers.hasKnown) return followed;
  for (const id of await numbers.findGone(sql, realmId)) {
    if (await growth.removeMessage(id)) followed.removed += 1;
  }
  for await (const texts of readKnown(following)) {
    const changed = await sql<{ id: number; before: string; content: string; isAsItCame: boolean }[]>`
      select m.id, m.content as before, n.content, hashtextextended(m.content, 0) = i.content_hash as "isAsItCame"
      from unnest(${texts.map(({ id }) => id)}::bigint[], ${texts.map(({ content }) => content)}::text[]) n (id, content)
      join imported_messages i on i.realm_id = ${realmId} and i.message_id = n.id
      join messages m on m.realm_id = i.realm_id and m.id = i.message_id
      where hashtextextended(n.content, 0) <> i.content_hash order by m.id`;
    for (const { id, before, content, isAsItCame } of changed) {
      if (isAsItCame ? await growth.changeMessage(id, before, content) : before === content) {
        followed.changed += Number(isAsItCame);
        await sql`
          update imported_messages set content_hash = hashtextextended(${content}, 0)
          where realm_id = ${realmId} and message_id = ${id}`;
      } else {
        followed.keptAsEdited += 1;
      }
    }
  }
  return followed;
}

/** Yields the texts of messages that are here already, as they would be written now, some at a time. */
async function* readKnown({ archive, survey, numbering, numbers }: Following) {
  const { table } = tableOf('messages');
  const resolve = createResolver(table, { survey, numbering });
  for await (const rows of readTable(archive, table, survey.superseded)) {
    const texts = rows.flatMap((row) => {
      const id = numbers.of(Number(row['id']));
      if (id === undefined || numbers.isNew(Number(row['id']))) return [];
      const resolved = resolve(row);
      return resolved ? [{ id, content: String(resolved['content']) }] : [];
    });
    if (texts.length > 0) yield texts;
  }
}

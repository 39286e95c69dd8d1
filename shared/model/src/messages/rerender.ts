import type { Tx } from '@parley/db';
import { BoundedCache } from '@parley/kit';
import { rendererVersion } from '@parley/markdown';
import { ApiError } from '@parley/protocol';

import { type Realm, actorOf } from '../actor.ts';
import { getRules, type Rules } from '../permissions/rules.ts';
import { getTextOptions } from '../texts/options.ts';
import { parseTextIn } from '../texts/outside.ts';
import { renderParsedText, resolveParsedText } from '../texts/render.ts';
import type { TextAuthor } from '../texts/resolve.ts';
import { listUsers } from '../users/find.ts';

/** A message with its HTML and the version of the renderer that made it. */
export interface RenderedMessage {
  id: number;
  sender_id: number;
  content: string;
  rendered_content: string;
  rendered_version: number;
  sent: number;
}

/** Characters of texts that are rendered again for one page; the messages after these keep the HTML that they have. */
const rerenderedPerPage = 100_000;

/** HTML of messages that have not changed since: an edit stores HTML of the current version. */
const rerendered = new BoundedCache<string, string>('rendered', { bytesOf: (html) => html.length * 2 });

/**
 * Returns new HTML by message id, for those messages whose stored HTML an older renderer made. It is made when it is
 * read and cached in memory, so a new renderer version needs no rewrite of stored messages.
 */
export async function rerenderStale(
  tx: Tx,
  realm: Realm,
  rows: readonly RenderedMessage[],
): Promise<Map<number, string>> {
  const stale = rows.filter(({ rendered_version }) => rendered_version < rendererVersion);
  const htmlById = new Map<number, string>();
  const uncached: RenderedMessage[] = [];
  for (const row of stale) {
    const html = rerendered.get(`${realm.id} ${row.id}`);
    if (html === undefined) uncached.push(row);
    else htmlById.set(row.id, html);
  }
  if (uncached.length === 0) return htmlById;
  const rules = await getRules(tx, realm.id);
  const senders = await listUsers(tx, realm.id, [...new Set(uncached.map(({ sender_id }) => sender_id))]);
  const authors = new Map(
    senders.map((user) => [user.id, { actor: actorOf(user, realm), seesAll: user.isSystem }]),
  );
  let rerenderedCharacters = 0;
  for (const row of uncached) {
    rerenderedCharacters += row.content.length;
    if (rerenderedCharacters > rerenderedPerPage) break;
    const author = authors.get(row.sender_id);
    if (!author) throw new Error(`User ${row.sender_id} has sent a message and does not exist.`);
    const html = await renderAnew(tx, author, row, rules);
    rerendered.set(`${realm.id} ${row.id}`, html);
    htmlById.set(row.id, html);
  }
  return htmlById;
}

async function renderAnew(tx: Tx, author: TextAuthor, row: RenderedMessage, rules: Rules): Promise<string> {
  try {
    const options = await getTextOptions(tx, author.actor, rules);
    const parsed = await parseTextIn(tx, row.content, options, new Date(row.sent * 1000));
    return renderParsedText(parsed, await resolveParsedText(tx, author, rules, parsed)).html;
  } catch (error) {
    // A text that can no longer be rendered keeps the HTML that it has.
    if (error instanceof ApiError) return row.rendered_content;
    throw error;
  }
}

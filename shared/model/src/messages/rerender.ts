import type { Tx } from '@parley/db';
import { rendererVersion } from '@parley/markdown';
import { ApiError } from '@parley/protocol';
import { LRUCache } from 'lru-cache';

import { type Realm, actorOf } from '../actor.ts';
import { getRules, type Rules } from '../permissions/rules.ts';
import { getTextOptions } from '../texts/options.ts';
import { parseText, renderParsedText, resolveParsedText } from '../texts/render.ts';
import type { TextAuthor } from '../texts/resolve.ts';
import { listUsers } from '../users/find.ts';

/** A message with HTML that a renderer of some version has made. */
export interface RenderedMessage {
  id: number;
  sender_id: number;
  content: string;
  rendered_content: string;
  rendered_version: number;
}

const rerenderedMax = 20_000;

/** Of messages that nobody has changed since: whoever changes one stores HTML of this version. */
const rerendered = new LRUCache<string, string>({ max: rerenderedMax });

/**
 * The HTML of those messages whose stored one is an older renderer's, by id: made anew when it is read, and kept in
 * memory. So a new renderer needs no message rewritten.
 */
export async function rerenderStale(
  tx: Tx,
  realm: Realm,
  rows: readonly RenderedMessage[],
): Promise<Map<number, string>> {
  const stale = rows.filter(({ rendered_version }) => rendered_version < rendererVersion);
  const found = new Map<number, string>();
  const unknown: RenderedMessage[] = [];
  for (const row of stale) {
    const html = rerendered.get(`${realm.name} ${row.id}`);
    if (html === undefined) unknown.push(row);
    else found.set(row.id, html);
  }
  if (unknown.length === 0) return found;
  const rules = await getRules(tx, realm.id);
  const senders = await listUsers(tx, realm.id, [...new Set(unknown.map(({ sender_id }) => sender_id))]);
  const authors = new Map(
    senders.map((user) => [user.id, { actor: actorOf(user, realm), seesAll: user.isSystem }]),
  );
  for (const row of unknown) {
    const author = authors.get(row.sender_id);
    if (!author) throw new Error(`User ${row.sender_id} has sent a message and does not exist.`);
    const html = await renderAnew(tx, author, row, rules);
    rerendered.set(`${realm.name} ${row.id}`, html);
    found.set(row.id, html);
  }
  return found;
}

async function renderAnew(tx: Tx, author: TextAuthor, row: RenderedMessage, rules: Rules): Promise<string> {
  try {
    const parsed = parseText(row.content, await getTextOptions(tx, author.actor, rules));
    return renderParsedText(parsed, await resolveParsedText(tx, author, rules, parsed)).html;
  } catch (error) {
    // It was shown once, and goes on to be shown so.
    if (error instanceof ApiError) return row.rendered_content;
    throw error;
  }
}

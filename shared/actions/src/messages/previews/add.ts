import { tables, type Tx, type MessageRow } from '@parley/db';
import { rendererVersion } from '@parley/markdown';
import {
  type Realm,
  toSeconds,
  messageAudience,
  getRules,
  listUsers,
  actorOf,
  parseText,
  getTextOptions,
  resolveParsedText,
  renderParsedText,
} from '@parley/model';
import { type ActionResult, events, noSharedFlags, ApiError } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockMessageForServer, getDatabaseTime } from '../lock.ts';

const { messages } = tables;

export interface PreviewsResult extends ActionResult {
  /** It says something else than what was looked at, and waits on. */
  isOutdated: boolean;
}

/**
 * Shows below a message what is known of the pages that it links to, if it still says `content`. Told as another
 * rendering, not as an edit, and only where there is something to show.
 */
export async function addPreviews(
  tx: Tx,
  realm: Realm,
  id: number,
  content: string,
): Promise<PreviewsResult> {
  const held = await lockMessageForServer(tx, realm, id);
  const done = { events: [], keepsRules: true, isOutdated: false };
  if (!held || held.message.previewsDueAt === null) return done;
  const { message, place } = held;
  if (message.content !== content) return { ...done, isOutdated: true };

  const html = await renderWithPages(tx, realm, message);
  const isNew = html !== null && html !== message.renderedContent;
  await tx
    .update(messages)
    .set({ previewsDueAt: null, ...(isNew && { renderedContent: html, renderedVersion: rendererVersion }) })
    .where(eq(messages.id, id));
  if (!isNew) return done;
  const event = events.updateMessage({
    user_id: null,
    rendering_only: true,
    message_id: id,
    message_ids: [id],
    edit_timestamp: toSeconds(await getDatabaseTime(tx)),
    content,
    rendered_content: html,
    shared_flags: noSharedFlags,
  });
  return { ...done, events: [{ event, ...(await messageAudience(tx, place, [id])), sharedFlagsOf: id }] };
}

/** Null where no page is known, or may be shown. */
async function renderWithPages(tx: Tx, realm: Realm, message: MessageRow): Promise<string | null> {
  const rules = await getRules(tx, realm.id);
  const [sender] = await listUsers(tx, realm.id, [message.senderId]);
  if (!sender) throw new Error(`User ${message.senderId} has sent a message and does not exist.`);
  const author = { actor: actorOf(sender, realm), seesAll: sender.isSystem };
  try {
    const parsed = parseText(message.content, await getTextOptions(tx, author.actor, rules));
    const found = await resolveParsedText(tx, author, rules, parsed);
    return found.resolved.pages.size === 0 ? null : renderParsedText(parsed, found).html;
  } catch (error) {
    // It was shown once, and goes on to be shown so.
    if (error instanceof ApiError) return null;
    throw error;
  }
}

import type { Tx } from '@parley/db';
import { WebhookPayload, topicNamer } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import { fetchMessagesByIds } from '../messages/fetch.ts';

/** Services cannot say that they know the empty topic. */
const nameTopics = topicNamer(WebhookPayload.shape.message);

/** Returns a message as the service of a bot is sent it; undefined if the bot may not read it, or not any more. */
export async function findWebhookMessage(
  tx: Tx,
  bot: Actor,
  id: number,
): Promise<WebhookPayload['message'] | undefined> {
  const format = { clientGravatar: false, narrow: [] };
  const [written] = await fetchMessagesByIds(tx, bot, [id], { ...format, applyMarkdown: false });
  const [rendered] = await fetchMessagesByIds(tx, bot, [id], { ...format, applyMarkdown: true });
  if (!written || !rendered) return undefined;
  const { flags: _, match_content: __, match_subject: ___, ...message } = written;
  const payload = { ...message, rendered_content: rendered.content };
  return nameTopics?.(payload) ?? payload;
}

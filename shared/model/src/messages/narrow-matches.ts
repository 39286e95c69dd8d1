import type { Tx } from '@parley/db';
import { escapeHtml } from '@parley/markdown';
import { FetchedMessage, topicNamer } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import { fetchMessagesByIds } from './fetch.ts';
import type { NarrowTerm } from './narrow-names.ts';

const nameTopics = topicNamer(FetchedMessage) ?? ((message: FetchedMessage) => message);

interface Match {
  match_content: string;
  match_subject: string;
}

/**
 * Returns those of the messages that the actor received and that are in the narrow, as HTML with highlighted matches.
 */
export async function findNarrowMatches(
  tx: Tx,
  actor: Actor,
  ids: number[],
  { narrow, allowEmptyTopicName }: { narrow: NarrowTerm[]; allowEmptyTopicName: boolean },
): Promise<Record<number, Match>> {
  const format = { applyMarkdown: true, clientGravatar: true };
  const messages = await fetchMessagesByIds(tx, actor, ids, { narrow, ...format });
  return Object.fromEntries(
    messages
      .filter(({ flags }) => !flags.includes('historical'))
      .map((message) => (allowEmptyTopicName ? message : nameTopics(message)))
      .map(({ id, content, subject, match_content, match_subject }) => [
        id,
        { match_content: match_content ?? content, match_subject: match_subject ?? escapeHtml(subject) },
      ]),
  );
}

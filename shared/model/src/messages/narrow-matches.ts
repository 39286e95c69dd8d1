import type { Tx } from '@parley/db';
import { escapeHtml } from '@parley/markdown';

import type { Actor } from '../actor.ts';
import { fetchMessagesByIds } from './fetch.ts';
import type { NarrowTerm } from './narrow.ts';

interface Match {
  match_content: string;
  match_subject: string;
}

/** Which of the messages the narrow holds, of those that the actor received: HTML with what a search found marked. */
export async function findNarrowMatches(
  tx: Tx,
  actor: Actor,
  ids: number[],
  narrow: NarrowTerm[],
): Promise<Record<number, Match>> {
  const form = { applyMarkdown: true, clientGravatar: true, allowEmptyTopicName: true };
  const found = await fetchMessagesByIds(tx, actor, ids, { narrow, ...form });
  return Object.fromEntries(
    found
      .filter(({ flags }) => !flags.includes('historical'))
      .map(({ id, content, subject, match_content, match_subject }) => [
        id,
        { match_content: match_content ?? content, match_subject: match_subject ?? escapeHtml(subject) },
      ]),
  );
}

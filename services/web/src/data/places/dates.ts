import type { FetchedMessage } from '@parley/client';

import { toClientNarrow } from '../../base/router/client-narrow.ts';
import { type Narrow, type Term, narrowFragment } from '../../base/router/narrow.ts';
import { peek } from '../live/state.ts';
import { connection } from '../session/session.ts';

/** What is shown where no conditions are named. */
const everywhere: readonly Term[] = [{ operator: 'in', operand: 'home', negated: false }];

/**
 * Returns the fragment of a narrow that begins at a day: at its first message since then, or at its last one if there is
 * none; null for a narrow without messages.
 */
export async function fragmentAt({ terms }: Pick<Narrow, 'terms'>, since: Date): Promise<string | null> {
  const shown = terms.length > 0 ? terms : everywhere;
  const { messages } = await connection().get<{ messages: FetchedMessage[] }>('/messages', {
    narrow: toClientNarrow({ terms: shown }, peek()),
    anchor: 'date',
    anchor_date: since.toISOString(),
    num_before: 1,
    num_after: 1,
    allow_empty_topic_name: true,
  });
  const found = messages.find(({ timestamp }) => timestamp * 1000 >= since.getTime()) ?? messages.at(-1);
  return found ? narrowFragment({ terms: shown, near: found.id }) : null;
}

import { type Sql, isOutdated } from '@parley/db';
import { type PendingFlags, events, gatheredFlagsMax } from '@parley/protocol';
import { histogram, traced } from '@parley/telemetry';

import type { Appended } from './append.ts';
import { arrayOf } from './arrays.ts';
import { createGatherer } from './gather.ts';
import type { SenderDeps } from './send.ts';

/** How often an append is tried while the rules change. */
const triesMax = 3;

const batchChanges = histogram(
  'parley_log_append_flags',
  'Changes of flags of an append',
  [1, 2, 4, 8, 16, 32, 64],
);

export interface FlagChanger {
  /**
   * Changes a user's flags, and returns the messages on which they changed. Null if the change needs a transaction of its
   * own: then nothing was changed.
   *
   * @throws SERVER_NOT_READY when Postgres is away or too many changes wait
   */
  change(realmId: number, flags: PendingFlags): Promise<number[] | null>;
}

/** A row of append_flags. */
interface Row {
  outcome: 'written' | 'unchanged' | 'alone';
  changed: string[] | null;
  seq: string;
  entry: string;
}

type Answer = Appended & { changed?: number[] };

/** Creates what changes flags by group commit, those of up to 64 people of a realm in one append. */
export function createFlagChanger({ sql, sqlOf, publisher }: SenderDeps): FlagChanger {
  const gatherer = createGatherer<PendingFlags>(publisher, {
    batchMax: { items: 64, size: 2 * gatheredFlagsMax },
    waitingMax: { items: 5000, size: 100_000 },
    sizeOf: ({ messages }) => messages.length,
    formOf: () => true,
    keyOf: ({ userId }) => userId,
    async append(realmId, changes) {
      batchChanges.observe(changes.length);
      return await appendFlags(sqlOf ? await sqlOf(realmId) : sql, realmId, changes);
    },
    refusalOf: (error) => error,
  });
  return {
    async change(realmId, flags) {
      const answer: Answer = await traced('log append', () => gatherer.join(realmId, flags));
      return answer.outcome === 'stale' ? null : (answer.changed ?? []);
    },
  };
}

/** Changes flags of people in a transaction of their own: one round trip and one commit. */
async function appendFlags(sql: Sql, realmId: number, changes: readonly PendingFlags[]): Promise<Answer[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await callAppendFlags(sql, realmId, changes)).map(readAnswer);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      if (attempt === triesMax) return changes.map(() => ({ outcome: 'stale' }));
    }
  }
}

async function callAppendFlags(sql: Sql, realmId: number, changes: readonly PendingFlags[]): Promise<Row[]> {
  const messages = changes.flatMap((change, index) =>
    change.messages.map(({ id, channelId }) => ({ place: index + 1, id, channelId })),
  );
  return await sql<Row[]>`
    select * from append_flags(
      ${realmId},
      ${arrayOf(changes.map(({ userId }) => userId))}::text::int[],
      ${JSON.stringify(changes.map(({ account }) => account ?? null))}::text::jsonb,
      ${arrayOf(changes.map(({ rulesVersion }) => rulesVersion ?? 'null'))}::text::bigint[],
      ${arrayOf(changes.map(({ flag }) => flag))}::text::text[],
      ${arrayOf(changes.map(({ op }) => op === 'add'))}::text::boolean[],
      ${changes.map(eventOf).join('\n')},
      ${arrayOf(messages.map(({ place }) => place))}::text::int[],
      ${arrayOf(messages.map(({ id }) => id))}::text::bigint[],
      ${arrayOf(messages.map(({ channelId }) => channelId ?? 'null'))}::text::int[]
    )`;
}

/** Returns the JSON of the event up to its messages, which Postgres puts behind it: those that have changed. */
function eventOf({ op, flag }: PendingFlags): string {
  const { messages: _, ...event } = events.updateMessageFlags[op]({
    operation: op,
    flag,
    messages: [],
    all: false,
  }) as Record<string, unknown>;
  return JSON.stringify(event).slice(0, -1);
}

function readAnswer({ outcome, changed, seq, entry }: Row): Answer {
  if (outcome === 'alone') return { outcome: 'stale' };
  if (outcome === 'unchanged') return { outcome, seq: Number(seq), known: entry };
  return { outcome, seq: Number(seq), messageId: null, entry, changed: (changed ?? []).map(Number) };
}

import type { Tx } from '@parley/db';
import type { Parsed } from '@parley/markdown';
import { notReady } from '@parley/protocol';

import type { TextOptions } from './options.ts';
import { parseOnThread, parseQuickly } from './parse.ts';

/** Texts that one transaction may have parsed outside of it. */
const textsMax = 100;

/** What has become of the texts that a transaction needed in its earlier runs. */
type Outcomes = Map<string, Promise<Parsed>>;

/** The transactions that are run again when a text is parsed. */
const outcomesOf = new WeakMap<Tx, Outcomes>();

/** A transaction needs a text that is to be parsed on another thread. It ends, so that it holds no connection meanwhile. */
class NeedsText extends Error {
  readonly parse: () => Promise<Parsed>;
  readonly key: string;

  constructor(key: string, parse: () => Promise<Parsed>) {
    super('A transaction waits for no text.');
    this.key = key;
    this.parse = parse;
  }
}

/**
 * Runs a transaction, which says by `begun` that it has begun. If it needs a text that takes long, it is rolled back, and
 * run again when the text is parsed: whoever waits for a text holds no connection to Postgres.
 *
 * @throws SERVER_NOT_READY when it needs too many texts
 */
export async function withTextsOutside<Result>(
  run: (begun: (tx: Tx) => void) => Promise<Result>,
): Promise<Result> {
  const outcomes: Outcomes = new Map();
  while (outcomes.size <= textsMax) {
    try {
      return await run((tx) => void outcomesOf.set(tx, outcomes));
    } catch (error) {
      if (!(error instanceof NeedsText) || outcomes.has(error.key)) throw error;
      const parsed = error.parse();
      outcomes.set(error.key, parsed);
      await parsed.catch(() => undefined);
    }
  }
  throw notReady('texts');
}

/**
 * Parses a text that a transaction needs, as `parseText` does. A transaction that `withTextsOutside` runs does not wait
 * for a thread.
 *
 * @throws BAD_REQUEST for a text that cannot be rendered, or takes too long
 * @throws SERVER_NOT_READY when too many such texts wait
 */
export async function parseTextIn(
  tx: Tx,
  content: string,
  options: TextOptions,
  writtenAt?: Date,
): Promise<Parsed> {
  const task = { content, options, writtenAt: writtenAt ?? new Date() };
  const parsed = parseQuickly(task);
  if (parsed) return parsed;
  const outcomes = outcomesOf.get(tx);
  if (!outcomes) return await parseOnThread(task);
  const { vocabulary, ...others } = options;
  const key = JSON.stringify([content, vocabulary.key, others, writtenAt]);
  const outcome = outcomes.get(key);
  if (outcome) return await outcome;
  throw new NeedsText(key, () => parseOnThread(task));
}

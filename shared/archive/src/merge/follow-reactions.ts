import { readTable } from '../read/read-rows.ts';
import { createResolver } from '../read/resolve.ts';
import { tableOf } from '../read/survey.ts';
import type { Following } from './follow-texts.ts';
import type { Reaction } from './growth.ts';
import { findReactions, hasEmoji, hashesOf, listChanged, recordHash } from './reaction-hashes.ts';

/** Messages whose reactions are in memory at once. */
const messagesAtOnce = 5000;
/** Messages whose reactions here are read by one statement. */
const messagesPerStep = 200;

/**
 * Gives messages that earlier archives brought the reactions that their source has now. Of a message to which somebody has reacted
 * here meanwhile, or taken a reaction back, none is removed. Returns how many messages have changed.
 */
export async function followReactions(following: Following): Promise<number> {
  const { sql, realmId, numbers } = following;
  if (!numbers.hasKnown) return 0;
  const hashes = await hashAll(following);
  const changed: { id: number; hash: bigint }[] = [];
  for (const some of numbers.known()) {
    const now = some.map(({ index, id }) => ({ id, hash: hashes[index] ?? 0n }));
    const ids = new Set(await listChanged(sql, realmId, now));
    changed.push(...now.filter(({ id }) => ids.has(id)));
  }
  let count = 0;
  for (let start = 0; start < changed.length; start += messagesAtOnce) {
    count += await followSome(following, changed.slice(start, start + messagesAtOnce));
  }
  return count;
}

/** Returns the hashes of the reactions that known messages have at their source, by the places of the messages. */
async function hashAll(following: Following): Promise<BigInt64Array> {
  const { sql, numbers } = following;
  const hashes = new BigInt64Array(numbers.size);
  for await (const some of readKnown(following)) {
    const each = await hashesOf(
      sql,
      some.map(({ reaction }) => reaction),
    );
    for (const [n, { index }] of some.entries()) hashes[index] = (hashes[index] ?? 0n) ^ (each[n] ?? 0n);
  }
  return hashes;
}

async function followSome(
  following: Following,
  changed: readonly { id: number; hash: bigint }[],
): Promise<number> {
  const { sql, realmId, growth } = following;
  const wanted = new Map<number, Reaction[]>(changed.map(({ id }) => [id, []]));
  for await (const some of readKnown(following)) {
    for (const { id, reaction } of some) wanted.get(id)?.push(reaction);
  }
  let count = 0;
  for (let start = 0; start < changed.length; start += messagesPerStep) {
    const step = changed.slice(start, start + messagesPerStep);
    const hashOf = new Map(step.map(({ id, hash }) => [id, hash]));
    for (const { id, isAsItCame, reactions } of await findReactions(sql, realmId, [...hashOf.keys()])) {
      const there = wanted.get(id) ?? [];
      const added = without(there, reactions);
      const removed = isAsItCame ? without(reactions, there) : [];
      // Each is recorded with what it does, so that an interrupted import goes on where it was.
      for (const one of added) await growth.setReaction(id, one, true);
      for (const one of removed) await growth.setReaction(id, one, false);
      await recordHash(sql, realmId, { id, hash: hashOf.get(id) ?? 0n });
      count += Number(added.length + removed.length > 0);
    }
  }
  return count;
}

const keyOf = ({ userId, emoji: { type, code } }: Reaction) => `${userId} ${type} ${code}`;

/** Returns those reactions that are not among others. */
function without(reactions: readonly Reaction[], others: readonly Reaction[]): Reaction[] {
  const keys = new Set(others.map(keyOf));
  return reactions.filter((one) => !keys.has(keyOf(one)));
}

/** Yields reactions to messages that are here already, as they would be written now, some at a time. */
async function* readKnown({ archive, survey, numbering, numbers }: Following) {
  const { table } = tableOf('reactions');
  const resolve = createResolver(table, { survey, numbering });
  for await (const rows of readTable(archive, table, survey.superseded)) {
    const some = rows.flatMap((row) => {
      const archived = Number(row['message_id']);
      const [index, id] = [numbers.indexOf(archived), numbers.of(archived)];
      if (index === undefined || id === undefined || numbers.isNew(archived)) return [];
      const resolved = hasEmoji(numbering, row) ? resolve(row) : null;
      return resolved ? [{ index, id, reaction: reactionOf(resolved) }] : [];
    });
    if (some.length > 0) yield some;
  }
}

/** Rows have passed the schema of reactions. */
const reactionOf = (row: Record<string, unknown>): Reaction => ({
  userId: Number(row['user_id']),
  emoji: {
    name: String(row['emoji_name']),
    code: String(row['emoji_code']),
    type: row['reaction_type'] as Reaction['emoji']['type'],
  },
});

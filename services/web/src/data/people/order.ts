import type { Presence } from '@parley/client';

interface Person {
  user_id: number;
  full_name: string;
  delivery_email: string | null;
}

const ranks: Record<Presence, number> = { active: 0, idle: 1, offline: 2 };

/** Those of the people whose name or address has a word that begins as each word of `query`. */
export function matchPeople<One extends Person>(people: readonly One[], query: string): One[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  return people.filter(({ full_name, delivery_email }) => {
    const words = [...full_name.toLowerCase().split(/\s+/), delivery_email?.toLowerCase() ?? ''];
    return wanted.every((prefix) => words.some((word) => word.startsWith(prefix)));
  });
}

/** Oneself first, then who is active, idle and offline, each by name. */
export function orderPeople<One extends Person>(
  people: readonly One[],
  ownId: number,
  presenceOf: (userId: number) => Presence,
): One[] {
  const rank = ({ user_id }: Person) => (user_id === ownId ? -1 : ranks[presenceOf(user_id)]);
  const ranked = people.map((one) => ({ one, rank: rank(one) }));
  return ranked
    .sort((a, b) => a.rank - b.rank || a.one.full_name.localeCompare(b.one.full_name))
    .map(({ one }) => one);
}

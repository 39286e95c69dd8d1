import { type Match, type Message, type MessageList, placeOf } from '@parley/client';

/** How results are put in order. */
export const orders = ['newest', 'relevance'] as const;
export type Order = (typeof orders)[number];

/** A message that a search has found, and how well it fits. */
export interface FoundMessage {
  message: Message;
  match: Match | undefined;
  fit: number;
}

/** What a search has found in one conversation. */
export interface FoundGroup {
  key: string;
  /** The best of them are first. */
  found: FoundMessage[];
}

const marks = /<span class="highlight">(.*?)<\/span>/g;

/** A different word counts for more than the same one again, and one in the topic for more than one in the text. */
const weights = { word: 10, again: 1, inTopic: 15 };
const againMax = 5;

/** Returns how well a message fits a search, by what the server has marked in it. */
export function fitOf(match: Pick<Match, 'content' | 'subject'> | undefined): number {
  if (!match) return 0;
  const marked = [...match.content.matchAll(marks)].map(([, text = '']) => text.toLowerCase());
  const words = new Set(marked);
  const again = Math.min(againMax, marked.length - words.size);
  const inTopic = new Set([...match.subject.matchAll(marks)].map(([, text = '']) => text.toLowerCase()));
  return words.size * weights.word + again * weights.again + inTopic.size * weights.inTopic;
}

/** Returns the results of a search that are loaded, by conversation. */
export function groupFound(
  list: Pick<MessageList, 'ids' | 'message' | 'match'>,
  order: Order,
  ownId: number,
): FoundGroup[] {
  const groups = new Map<string, FoundMessage[]>();
  for (const id of list.ids) {
    const message = list.message(id);
    if (!message) continue;
    const match = list.match(id);
    const key = placeOf(message, ownId);
    const group = groups.get(key) ?? [];
    group.push({ message, match, fit: fitOf(match) });
    groups.set(key, group);
  }
  const before = (one: FoundMessage, other: FoundMessage) =>
    (order === 'relevance' ? other.fit - one.fit : 0) || other.message.id - one.message.id;
  return [...groups]
    .map(([key, found]) => ({ key, found: found.sort(before) }))
    .sort(({ found: [one] }, { found: [other] }) => (one && other ? before(one, other) : 0));
}

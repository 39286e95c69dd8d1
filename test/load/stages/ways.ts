import type { Collected } from '../clients/messages.ts';
import type { Published } from './published.ts';
import type { Way } from './stages.ts';

/** Where a message is in the log. */
export interface AppendedMessage {
  messageId: number;
  /** The number of its organization, each of which has ids of its own. */
  organization: number;
  realmId: number;
  seq: number;
  appendedMs: number;
}

/** Puts together what clients, the log and Redis know of each message that was acknowledged. */
export function waysOf(
  { clients, sends }: Collected,
  appended: readonly AppendedMessage[],
  published: Published,
): Way[] {
  const keyOf = (organization: number, messageId: number) => `${organization} ${messageId}`;
  const heard = new Map<string, number[]>();
  for (const { organization, heard: events } of clients) {
    for (let at = 0; at < events.length; at += 3) {
      const message = events[at + 1] ?? -1;
      if (message < 0) continue;
      const key = keyOf(organization, message);
      const times = heard.get(key) ?? [];
      times.push(events[at + 2] ?? 0);
      heard.set(key, times);
    }
  }
  const entries = new Map(appended.map((entry) => [keyOf(entry.organization, entry.messageId), entry]));
  return sends.flatMap(({ organization, messageId, intendedMs, askedMs }) => {
    const key = keyOf(organization, messageId ?? -1);
    const entry = entries.get(key);
    if (!entry) return [];
    const { realmId, seq, appendedMs } = entry;
    const heardMs = heard.get(key) ?? [];
    return [{ intendedMs, askedMs, appendedMs, publishedMs: published.at(realmId, seq), heardMs }];
  });
}

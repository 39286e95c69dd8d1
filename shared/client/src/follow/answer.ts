import type { Params } from '../connection/encode.ts';
import type { Changes } from '../state/changes.ts';
import type { Message } from '../state/message.ts';
import { peopleOf } from '../state/places.ts';
import type { State } from '../state/state.ts';
import { applyFlags } from '../state/unread.ts';

/** GET /messages; none, where the server finds no such place any more. */
export type FetchMessages = (params: Params) => Promise<readonly Message[]>;

/** The most messages that are asked for at once. */
const messagesPerFetch = 1000;

/**
 * Asks for what events left open, and does to the state what the answers say. Messages of places that the client was
 * not in (`historical`) are fetched when somebody opens them.
 */
export async function answer(state: State, changes: Changes, fetch: FetchMessages): Promise<void> {
  const { messages, channels, conversations } = changes.questions;
  const ids = [...messages];
  for (let at = 0; at < ids.length; at += messagesPerFetch) {
    merge(state, await fetch({ message_ids: ids.slice(at, at + messagesPerFetch) }), changes);
  }
  for (const channel of channels) {
    const narrow = [
      { operator: 'channel', operand: channel },
      { operator: 'is', operand: 'unread' },
    ];
    merge(state, await fetch({ anchor: 'newest', num_before: messagesPerFetch, narrow }), changes);
  }
  for (const place of conversations) {
    const others = peopleOf(place) ?? [];
    const narrow = [{ operator: 'dm', operand: others.length > 0 ? others : [state.own.user_id] }];
    const [newest] = await fetch({ anchor: 'newest', num_before: 1, narrow });
    if (!newest) continue;
    state.conversations.set(place, Math.max(newest.id, state.conversations.get(place) ?? 0));
    changes.slices.add('conversations');
  }
}

function merge(state: State, answered: readonly Message[], changes: Changes): void {
  for (const message of answered) {
    if (message.flags.includes('historical')) continue;
    if (!state.messages.has(message.id)) applyFlags(state, message);
    state.messages.set(message.id, message);
    changes.messages.add(message.id);
    // What is answered may be of a channel that the account may no longer read: such messages are not kept either.
    if (message.stream_id !== undefined) changes.access.add(message.stream_id);
  }
  for (const slice of ['messages', 'unread', 'mentions', 'starred'] as const) changes.slices.add(slice);
}

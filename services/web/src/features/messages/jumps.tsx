import { type MessageList, amongPeople, topicOf, unreadAt } from '@parley/client';
import type { ReadonlySignal } from '@preact/signals';

import { slice, peek } from '../../data/live/state.ts';
import { messageText } from '../../strings/messages.ts';

interface JumpsProps {
  list: MessageList;
  isEndShown: ReadonlySignal<boolean>;
  readonly show: (at: 'newest' | 'first_unread') => void;
}

/** Buttons to the first unread message and to the newest, when these are not in view. */
export function Jumps({ list, isEndShown, show }: JumpsProps) {
  if (isEndShown.value || list.ids.length === 0) return null;
  const last = list.message(list.ids.at(-1) ?? 0);
  const unread = countUnread(list);
  return (
    <div class="jumps">
      {unread > 0 && (
        <button type="button" onClick={() => show('first_unread')}>
          {messageText.firstUnread}
        </button>
      )}
      {last && (
        <button type="button" class="primary" onClick={() => show('newest')}>
          {unread > 0 ? messageText.newestUnread(unread) : messageText.newest} ↓
        </button>
      )}
    </div>
  );
}

/** Counts unread messages in a narrow that is a channel or a conversation. */
function countUnread({ narrow }: MessageList): number {
  const { at } = slice('unread');
  const operandOf = (name: string) => narrow.find(({ operator }) => operator === name)?.operand;
  const [channel, topic, people] = ['channel', 'topic', 'dm'].map(operandOf);
  let count = 0;
  for (const place of at.keys()) {
    const where = topicOf(place);
    const matches = where
      ? where.channelId === channel && (topic === undefined || where.topic === String(topic).toLowerCase())
      : Array.isArray(people) && place === placeAmong(people as readonly number[]);
    if (matches) count += unreadAt(peek(), place);
  }
  return count;
}

const placeAmong = (people: readonly number[]) =>
  amongPeople(people.filter((id) => id !== peek().own.user_id));

import type { Typing, TypingEdit } from './event.ts';
import { amongPeople, inTopic } from './places.ts';
import type { Reducers } from './reducers.ts';
import type { State } from './state.ts';

/** State that ephemeral events keep: presence and typing. Such events may be lost. */
export const ephemeral: Reducers = {
  presence(state, { presences }, { slices }) {
    for (const [id, times] of Object.entries(presences)) state.presences.set(Number(id), times);
    slices.add('presences');
  },

  'typing start'(state, event, { slices }) {
    add(state.typing, placeOf(state, event), event.sender.user_id);
    slices.add('typing');
  },

  'typing stop'(state, event, { slices }) {
    remove(state.typing, placeOf(state, event), event.sender.user_id);
    slices.add('typing');
  },

  'typing_edit_message start'({ editing }, { message_id, sender_id }: TypingEdit, { slices }) {
    add(editing, message_id, sender_id);
    slices.add('editing');
  },

  'typing_edit_message stop'({ editing }, { message_id, sender_id }: TypingEdit, { slices }) {
    remove(editing, message_id, sender_id);
    slices.add('editing');
  },
};

const placeOf = ({ own }: State, { recipients = [], stream_id, topic = '' }: Typing) =>
  stream_id === undefined
    ? amongPeople(recipients.map(({ user_id }) => user_id).filter((id) => id !== own.user_id))
    : inTopic(stream_id, topic);

function add<Key>(sets: Map<Key, Set<number>>, key: Key, id: number): void {
  sets.set(key, new Set([...(sets.get(key) ?? []), id]));
}

function remove<Key>(sets: Map<Key, Set<number>>, key: Key, id: number): void {
  const left = new Set(sets.get(key));
  left.delete(id);
  if (left.size > 0) sets.set(key, left);
  else sets.delete(key);
}

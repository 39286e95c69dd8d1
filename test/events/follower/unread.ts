import type { Json } from '../../support/index.ts';
import { inTopic, ofPeople, othersIn, placeOf } from './places.ts';
import { type Reducers, type State, union } from './state.ts';

const mentionFlags = ['mentioned', 'wildcard_mentioned'];

/** What a message that was asked for says of itself. */
export function learn(state: State, { id, flags, stream_id, subject }: Json): void {
  if (flags.includes('starred')) state.starred = union(state.starred, [id]);
  if (flags.includes('read') || stream_id === undefined) return;
  state.unread[id] = inTopic(stream_id, subject);
  if (mentionFlags.some((flag) => flags.includes(flag))) state.mentions = union(state.mentions, [id]);
}

/** Which messages are unread, mention the user, and are starred, and what is said last in each conversation. */
export const unread: Reducers = {
  message(state, { message, flags }) {
    if (state.maxMessageId !== null) state.maxMessageId = Math.max(state.maxMessageId, message.id);
    const recipients = message.type === 'private' ? message.display_recipient : [];
    const others = recipients.map(({ id }: Json) => id).filter((id: number) => id !== state.own.user_id);
    if (message.type === 'private') {
      const key = ofPeople(others);
      state.conversations[key] = Math.max(state.conversations[key] ?? 0, message.id);
    }
    if (flags.includes('read')) return;
    state.unread[message.id] = placeOf(state, { ...message, topic: message.subject, others });
    if (mentionFlags.some((flag) => flags.includes(flag)))
      state.mentions = union(state.mentions, [message.id]);
  },

  update_message(state, { message_id, message_ids, propagate_mode, flags, ...event }) {
    if (propagate_mode !== undefined) {
      const { stream_id, new_stream_id = stream_id, orig_subject, subject = orig_subject } = event as Json;
      for (const id of message_ids) if (state.unread[id]) state.unread[id] = inTopic(new_stream_id, subject);
    }
    if (!state.unread[message_id]) return;
    const isMentioned = mentionFlags.some((flag) => flags.includes(flag));
    const others = state.mentions.filter((id) => id !== message_id);
    state.mentions = isMentioned ? union(others, [message_id]) : others;
  },

  delete_message(state, { message_ids, message_id }) {
    const gone: number[] = message_ids ?? [message_id];
    if (state.maxMessageId !== null && gone.includes(state.maxMessageId)) state.maxMessageId = null;
    for (const id of gone) delete state.unread[id];
    state.mentions = state.mentions.filter((id) => !gone.includes(id));
    state.starred = state.starred.filter((id) => !gone.includes(id));
    const people = new Set(gone.flatMap((id) => state.messages[id]?.people ?? []));
    for (const ids of people) {
      const left = Object.values(state.messages).filter(
        (one) => one.people === ids && !gone.includes(one.id),
      );
      const key = ofPeople(othersIn(state, ids));
      if (left.length === 0) delete state.conversations[key];
      else state.conversations[key] = Math.max(...left.map(({ id }) => id));
    }
  },

  'update_message_flags add'(state, { flag, messages, all }) {
    if (flag === 'starred') state.starred = union(state.starred, messages);
    if (flag !== 'read') return;
    const read = new Set(all ? Object.keys(state.unread).map(Number) : messages);
    for (const id of read) delete state.unread[id as number];
    state.mentions = state.mentions.filter((id) => !read.has(id));
  },

  'update_message_flags remove'(state, { flag, messages, message_details }) {
    if (flag === 'starred') state.starred = state.starred.filter((id) => !messages.includes(id));
    if (flag !== 'read') return;
    for (const id of messages) {
      const one = message_details[id];
      state.unread[id] = placeOf(state, { ...one, others: one.user_ids });
      if (one.mentioned) state.mentions = union(state.mentions, [id]);
    }
  },
};

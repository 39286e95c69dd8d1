import type { UnreadDetail } from '@parley/protocol';

import type { FetchedMessage, Message } from './message.ts';
import { type Place, amongPeople, inTopic, placeOf, topicOf } from './places.ts';
import type { Reducers } from './reducers.ts';
import type { State, Unread } from './state.ts';

export const noUnread = (): Unread => ({
  places: new Map(),
  at: new Map(),
  inChannels: new Map(),
  topicNames: new Map(),
});

const mentionFlags = ['mentioned', 'wildcard_mentioned'];
const isMention = (flags: readonly string[]) => mentionFlags.some((flag) => flags.includes(flag));

/** Records that a message is unread at a place. One that is unread already moves there. */
export function addUnread(unread: Unread, id: number, place: Place, topicName?: string): void {
  if (unread.places.get(id) === place) return;
  removeUnread(unread, id);
  unread.places.set(id, place);
  const ids = unread.at.get(place);
  if (ids) ids.add(id);
  else unread.at.set(place, new Set([id]));
  const topic = topicOf(place);
  if (!topic) return;
  unread.inChannels.set(topic.channelId, (unread.inChannels.get(topic.channelId) ?? 0) + 1);
  if (topicName !== undefined) unread.topicNames.set(place, topicName);
}

function removeUnread(unread: Unread, id: number): boolean {
  const place = unread.places.get(id);
  if (place === undefined) return false;
  unread.places.delete(id);
  const ids = unread.at.get(place);
  ids?.delete(id);
  if (ids?.size === 0) {
    unread.at.delete(place);
    unread.topicNames.delete(place);
  }
  const topic = topicOf(place);
  if (!topic) return true;
  const left = (unread.inChannels.get(topic.channelId) ?? 1) - 1;
  if (left > 0) unread.inChannels.set(topic.channelId, left);
  else unread.inChannels.delete(topic.channelId);
  return true;
}

/** Applies the flags of a message that was fetched, because no event about it came to the client. */
export function applyFlags(state: State, { id, flags, stream_id, subject }: Message): void {
  if (flags.includes('starred')) state.starred.add(id);
  if (flags.includes('read') || stream_id === undefined) return;
  addUnread(state.unread, id, inTopic(stream_id, subject), subject);
  if (isMention(flags)) state.mentions.add(id);
}

/** Which messages are unread, mention the user, and are starred, and what is said last in each conversation. */
export const unread: Reducers = {
  message(state, { message, flags }, { slices }) {
    if (state.maxMessageId !== null) state.maxMessageId = Math.max(state.maxMessageId, message.id);
    slices.add('maxMessageId');
    const place = placeOfSent(message, state.own.user_id);
    if (message.stream_id === undefined) {
      state.conversations.set(place, Math.max(state.conversations.get(place) ?? 0, message.id));
      slices.add('conversations');
    }
    if (flags.includes('read')) return;
    addUnread(state.unread, message.id, place, message.subject);
    slices.add('unread');
    if (!isMention(flags)) return;
    state.mentions.add(message.id);
    slices.add('mentions');
  },

  update_message(state, event, { slices }) {
    const { message_id, message_ids, propagate_mode, flags } = event;
    if (propagate_mode !== undefined) {
      const { stream_id = 0, new_stream_id = stream_id, orig_subject = '', subject = orig_subject } = event;
      const place = inTopic(new_stream_id, subject);
      for (const id of message_ids) {
        if (!state.unread.places.has(id)) continue;
        addUnread(state.unread, id, place, subject);
        slices.add('unread');
      }
    }
    if (!state.unread.places.has(message_id)) return;
    if (isMention(flags)) state.mentions.add(message_id);
    else state.mentions.delete(message_id);
    slices.add('mentions');
  },

  delete_message(state, { message_ids, message_id = 0, message_type }, changes) {
    const gone = new Set(message_ids ?? [message_id]);
    if (state.maxMessageId !== null && gone.has(state.maxMessageId)) state.maxMessageId = null;
    for (const id of gone) {
      if (removeUnread(state.unread, id)) changes.slices.add('unread');
      if (state.mentions.delete(id)) changes.slices.add('mentions');
      if (state.starred.delete(id)) changes.slices.add('starred');
    }
    if (message_type !== 'private') return;
    for (const [place, newest] of state.conversations) {
      if (!gone.has(newest)) continue;
      state.conversations.delete(place);
      changes.slices.add('conversations');
      changes.questions.conversations.add(place);
    }
  },

  'update_message_flags add'(state, { flag, messages, all }, { slices }) {
    if (flag === 'starred') {
      for (const id of messages) state.starred.add(id);
      slices.add('starred');
    }
    if (flag !== 'read') return;
    slices.add('unread').add('mentions');
    if (all) {
      state.unread = noUnread();
      state.mentions.clear();
    }
    for (const id of messages) {
      removeUnread(state.unread, id);
      state.mentions.delete(id);
    }
  },

  'update_message_flags remove'(state, { flag, messages, message_details = {} }, { slices }) {
    if (flag === 'starred') {
      for (const id of messages) state.starred.delete(id);
      slices.add('starred');
    }
    if (flag !== 'read') return;
    for (const id of messages) {
      const detail = message_details[id];
      if (!detail) throw new Error(`Where message ${id} is unread, the event does not say.`);
      addUnread(state.unread, id, placeOfDetail(detail, state.own.user_id), detail.topic);
      if (detail.mentioned) state.mentions.add(id);
    }
    slices.add('unread').add('mentions');
  },
};

function placeOfSent(message: Omit<FetchedMessage, 'flags'>, ownId: number): Place {
  const { stream_id, subject, display_recipient: recipients } = message;
  if (stream_id !== undefined || typeof recipients === 'string') return inTopic(stream_id ?? 0, subject);
  return placeOf({ subject, people: recipients.map(({ id }) => id).join(',') }, ownId);
}

const placeOfDetail = ({ stream_id, topic = '', user_ids = [] }: UnreadDetail, ownId: number): Place =>
  stream_id === undefined ? amongPeople(user_ids.filter((id) => id !== ownId)) : inTopic(stream_id, topic);

import type { Reaction } from '@parley/protocol';

import type { Changes } from './changes.ts';
import type { EditHistoryEntry, EventsByKind } from './event.ts';
import { type Message, type Messages, flagList, toMessage } from './message.ts';
import { inTopic } from './places.ts';

type Update = EventsByKind['update_message'];

/** The reducers of messages. They skip messages that the client does not have. */
export type MessageReducers = {
  [Kind in keyof EventsByKind]?: (messages: Messages, event: EventsByKind[Kind], changes: Changes) => void;
};

/** These reducers are idempotent in a replay. */
export const messageReducers: MessageReducers = {
  message(messages, { message, flags }, changes) {
    put(messages, toMessage(message, flags), changes);
  },

  update_message(messages, event, changes) {
    const isMoved = event.propagate_mode !== undefined;
    const isRenamed = event.subject !== undefined || event.new_stream_id !== undefined;
    // Some clients stop at the one without the other.
    if (isMoved !== isRenamed || isMoved !== (event.orig_subject !== undefined)) {
      throw new Error(`A client would not know whether this is a move: ${JSON.stringify(event)}`);
    }
    for (const id of event.message_ids) {
      const message = messages.get(id);
      if (!message) {
        askForMoved(id, event, changes);
        continue;
      }
      const isTarget = id === event.message_id;
      put(
        messages,
        {
          ...message,
          ...(!event.rendering_only && { edit_history: historyOf(message, event, isTarget, changes) }),
          ...(isMoved && moved(event)),
          ...(isTarget && rewritten(message, event)),
        },
        changes,
      );
    }
  },

  'update_message_flags add'(messages, { flag, messages: ids, all }, changes) {
    for (const id of all ? messages.keys() : ids) {
      const message = messages.get(id);
      if (!message || message.flags.includes(flag)) continue;
      put(messages, { ...message, flags: flagList([...message.flags, flag]) }, changes);
    }
  },

  'update_message_flags remove'(messages, { flag, messages: ids }, changes) {
    for (const id of ids) {
      const message = messages.get(id);
      if (!message?.flags.includes(flag)) continue;
      put(messages, { ...message, flags: flagList(message.flags.filter((one) => one !== flag)) }, changes);
    }
  },

  delete_message(messages, { message_ids, message_id = 0 }, changes) {
    for (const id of message_ids ?? [message_id]) {
      messages.delete(id);
      changes.messages.add(id);
      changes.slices.add('messages');
      changes.questions.messages.delete(id);
      changes.questions.moved.delete(id);
    }
  },

  'reaction add'(messages, event, changes) {
    const message = messages.get(event.message_id);
    if (!message) return;
    const { emoji_name, emoji_code, reaction_type, user_id } = event;
    const reaction = { emoji_name, emoji_code, reaction_type, user_id };
    put(messages, { ...message, reactions: [...without(message, event), reaction] }, changes);
  },

  'reaction remove'(messages, event, changes) {
    const message = messages.get(event.message_id);
    if (message) put(messages, { ...message, reactions: without(message, event) }, changes);
  },

  submessage(messages, { message_id, submessage_id: id, sender_id, msg_type, content }, changes) {
    const message = messages.get(message_id);
    if (!message || message.submessages.some((one) => one.id === id)) return;
    const submessage = { id, message_id, sender_id, msg_type, content };
    put(messages, { ...message, submessages: [...message.submessages, submessage] }, changes);
  },
};

function put(messages: Messages, message: Message, changes: Changes): void {
  messages.set(message.id, message);
  changes.messages.add(message.id);
  changes.slices.add('messages');
}

function askForMoved(id: number, event: Update, { questions }: Changes): void {
  if (event.propagate_mode === undefined) return;
  const { stream_id = 0, new_stream_id, orig_subject = '', subject = orig_subject } = event;
  questions.moved.set(id, inTopic(new_stream_id ?? stream_id, subject));
  if (new_stream_id !== undefined) questions.messages.add(id);
}

/** The history with what an edit adds to it, newest first. */
function historyOf(
  { edit_history = [] }: Message,
  event: Update,
  isTarget: boolean,
  { isReplay }: Changes,
): readonly EditHistoryEntry[] {
  const { subject, orig_subject, stream_id, new_stream_id, orig_content, orig_rendered_content } = event;
  const isEdited = isTarget && orig_content !== undefined;
  const entry: EditHistoryEntry = {
    user_id: event.user_id,
    timestamp: event.edit_timestamp,
    ...(isEdited && { prev_content: orig_content, prev_rendered_content: orig_rendered_content }),
    ...(new_stream_id !== undefined && { prev_stream: stream_id, stream: new_stream_id }),
    ...(subject !== undefined && { prev_topic: orig_subject, topic: subject }),
  };
  // Whoever moves messages to and fro makes equal entries within a second: only of a replay it means the same one.
  const isEqual = (one: EditHistoryEntry) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(entry));
  const isKnown = isReplay && edit_history.some(isEqual);
  return isKnown ? edit_history : [entry, ...edit_history];
}

const sorted = (entry: object) => Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1));

function moved(event: Update): Partial<Message> {
  const { subject, orig_subject = '', new_stream_id, edit_timestamp, topic_links = [] } = event;
  return {
    ...(new_stream_id !== undefined && { stream_id: new_stream_id }),
    ...(subject !== undefined && { subject, topic_links }),
    ...((new_stream_id !== undefined || !isResolving(orig_subject, subject)) && {
      last_moved_timestamp: edit_timestamp,
    }),
  };
}

const isResolving = (from: string, to = '') =>
  (from !== '' && to === `✔ ${from}`) ||
  (from.startsWith('✔ ') && !to.startsWith('✔ ') && to === from.replace(/^[✔ ]+/, ''));

function rewritten(message: Message, event: Update): Partial<Message> {
  const { rendered_content: content, is_me_message, flags, rendering_only } = event;
  const isHistorical = message.flags.includes('historical');
  const rewritten = { flags: flagList(isHistorical ? [...flags, 'historical'] : flags) };
  if (content === undefined) return rewritten;
  if (rendering_only) return { ...rewritten, content };
  return {
    ...rewritten,
    content,
    is_me_message: is_me_message ?? message.is_me_message,
    last_edit_timestamp: event.edit_timestamp,
  };
}

const without = (
  { reactions }: Message,
  { user_id, emoji_code, reaction_type }: Reaction,
): readonly Reaction[] =>
  reactions.filter(
    (one) => one.user_id !== user_id || one.emoji_code !== emoji_code || one.reaction_type !== reaction_type,
  );

import { expect } from 'vitest';

import type { Event, Json, Person } from '../../support/index.ts';

/** The messages that a client holds: what it received and may still read. */
export type Messages = Record<number, Json>;

/** What a client cannot derive from events, and has to ask for. */
export interface Questions {
  messages: Set<number>;
  channels: Set<number>;
}

type Fetch = (params: object) => Promise<Json[]>;

/** Asks for messages as the client would have been told of them. */
export function fetcher(person: Person, showsEmptyTopic: boolean): Fetch {
  return async (params) => {
    const form = { apply_markdown: true, allow_empty_topic_name: showsEmptyTopic };
    const reply = await person.get('/messages', { ...form, ...params });
    // In a channel that is theirs no more, they find nothing.
    if (reply.code === 'BAD_NARROW') return [];
    expect(reply, 'asking for messages').toMatchObject({ result: 'success' });
    return reply.messages;
  };
}

const newest = { anchor: 'newest', num_before: 1000 };

export async function fetchMessages(fetch: Fetch): Promise<Messages> {
  return held(await fetch(newest));
}

/** What is only the history of a channel is fetched when it is looked at, and not held. */
const held = (messages: Json[]): Messages =>
  Object.fromEntries(
    messages.filter(({ flags }) => !flags.includes('historical')).map((one) => [one.id, heldMessage(one)]),
  );

const fields = [
  'id',
  'type',
  'sender_id',
  'timestamp',
  'content',
  'is_me_message',
  'stream_id',
  'subject',
  'topic_links',
  'reactions',
  'submessages',
  'edit_history',
  'last_edit_timestamp',
  'last_moved_timestamp',
];

function heldMessage(message: Json): Json {
  const kept = Object.fromEntries(
    fields.filter((name) => message[name] !== undefined).map((name) => [name, message[name]]),
  );
  const people = Array.isArray(message.display_recipient) && {
    people: message.display_recipient.map(({ id }: Json) => id).join(','),
  };
  return { ...kept, ...people, flags: message.flags.toSorted() };
}

/** Answers what events left open; returns what is new to the client. */
export async function askFor(messages: Messages, questions: Questions, fetch: Fetch): Promise<Json[]> {
  const ids = [...questions.messages];
  const answers = ids.length > 0 ? held(await fetch({ message_ids: ids })) : {};
  for (const channel of questions.channels) {
    Object.assign(answers, held(await fetch({ ...newest, narrow: [['channel', channel]] })));
  }
  questions.messages.clear();
  questions.channels.clear();
  const learned = Object.values(answers).filter(({ id }) => !messages[id]);
  Object.assign(messages, answers);
  return learned;
}

type Apply = (messages: Messages, event: Event, questions: Questions) => void;

/** What events do to the messages that a client holds. Of others it passes over what happens. */
export const messageReducers: Record<string, Apply> = {
  message(messages, { message, flags }) {
    messages[message.id] = heldMessage({ ...message, flags });
  },

  update_message(messages, event, questions) {
    const isMoved = event['propagate_mode'] !== undefined;
    const isRenamed = event['subject'] !== undefined || event['new_stream_id'] !== undefined;
    // Some clients stop at the one without the other.
    if (isMoved !== isRenamed || isMoved !== (event['orig_subject'] !== undefined)) {
      throw new Error(`A client would not know whether this is a move: ${JSON.stringify(event)}`);
    }
    for (const id of event['message_ids']) {
      const message = messages[id];
      if (!message) {
        if (event['new_stream_id'] !== undefined) questions.messages.add(id);
        continue;
      }
      const isTarget = id === event['message_id'];
      if (!event['rendering_only']) note(message, event, isTarget);
      if (isMoved) place(message, event);
      if (isTarget) rewrite(message, event);
    }
  },

  'update_message_flags add'(messages, { flag, messages: ids, all }) {
    for (const message of all ? Object.values(messages) : among(messages, ids)) {
      message.flags = message.flags.filter((one: string) => one !== flag);
      message.flags.push(flag);
      message.flags.sort();
    }
  },

  'update_message_flags remove'(messages, { flag, messages: ids }) {
    for (const message of among(messages, ids)) {
      message.flags = message.flags.filter((one: string) => one !== flag);
    }
  },

  delete_message(messages, { message_ids, message_id }) {
    for (const id of message_ids ?? [message_id]) delete messages[id];
  },

  'reaction add'(messages, event) {
    const message = messages[event['message_id']];
    if (message) message.reactions = [...without(message, event), reactionOf(event)];
  },

  submessage(messages, { message_id, submessage_id, sender_id, msg_type, content }) {
    messages[message_id]?.submessages.push({ id: submessage_id, message_id, sender_id, msg_type, content });
  },

  'reaction remove'(messages, event) {
    const message = messages[event['message_id']];
    if (message) message.reactions = without(message, event);
  },

  'stream create'(_messages, { streams }, { channels }) {
    for (const { stream_id } of streams) channels.add(stream_id);
  },

  'stream delete'(_messages, { stream_ids }, { channels }) {
    for (const id of stream_ids) channels.delete(id);
  },

  'subscription add'(_messages, { subscriptions }, { channels }) {
    for (const { stream_id } of subscriptions) channels.add(stream_id);
  },

  'stream update'(_messages, { stream_id, property }, { channels }) {
    if (property === 'invite_only') channels.add(stream_id);
  },
};

const among = (messages: Messages, ids: number[]): Json[] => ids.flatMap((id) => messages[id] ?? []);

/** The entry that an edit adds to a message's history, newest first. */
function note(message: Json, event: Event, isTarget: boolean): void {
  const { subject, orig_subject, stream_id, new_stream_id, orig_content } = event;
  const entry = {
    user_id: event['user_id'],
    timestamp: event['edit_timestamp'],
    ...(isTarget &&
      orig_content !== undefined && {
        prev_content: orig_content,
        prev_rendered_content: event['orig_rendered_content'],
      }),
    ...(new_stream_id !== undefined && { prev_stream: stream_id, stream: new_stream_id }),
    ...(subject !== undefined && { prev_topic: orig_subject, topic: subject }),
  };
  message.edit_history = [entry, ...(message.edit_history ?? [])];
}

function place(message: Json, event: Event): void {
  const { subject, orig_subject, new_stream_id, edit_timestamp } = event;
  if (new_stream_id !== undefined) message.stream_id = new_stream_id;
  if (subject !== undefined) {
    message.subject = subject;
    message.topic_links = event['topic_links'];
  }
  if (new_stream_id !== undefined || !isResolving(orig_subject, subject)) {
    message.last_moved_timestamp = edit_timestamp;
  }
}

const isResolving = (from: string, to: string) => from === `✔ ${to}` || to === `✔ ${from}`;

function rewrite(message: Json, event: Event): void {
  const { rendered_content, is_me_message, flags, rendering_only } = event;
  const isHistorical = message.flags.includes('historical');
  message.flags = (isHistorical ? [...flags, 'historical'] : flags).toSorted();
  if (rendered_content === undefined) return;
  message.content = rendered_content;
  if (rendering_only) return;
  message.is_me_message = is_me_message;
  message.last_edit_timestamp = event['edit_timestamp'];
}

const reactionOf = ({ emoji_name, emoji_code, reaction_type, user_id }: Event) => ({
  emoji_name,
  emoji_code,
  reaction_type,
  user_id,
});

const without = ({ reactions }: Json, event: Event): Json[] =>
  reactions.filter(
    (one: Json) =>
      one.user_id !== event['user_id'] ||
      one.emoji_code !== event['emoji_code'] ||
      one.reaction_type !== event['reaction_type'],
  );

import type { MessageSnapshot, Reaction } from '@parley/protocol';

import type { Connection } from '../connection/connect.ts';
import type { Narrow } from '../messages/narrow.ts';

/** What is changed of a message, and of the others in its topic. */
export interface MessageEdit {
  content?: string;
  /** SHA-256 of the Markdown that it was, in hexadecimal: the edit is refused where it is another one meanwhile. */
  prevContentSha256?: string;
  topic?: string;
  channelId?: number;
  propagate?: 'change_one' | 'change_later' | 'change_all';
  /** Whether the old and the new topic get a notice of a move. */
  notifiesOld?: boolean;
  notifiesNew?: boolean;
}

/** @throws RequestFailed with BAD_REQUEST, or MOVE_MESSAGES_TIME_LIMIT_EXCEEDED */
export async function editMessage(connection: Connection, id: number, edit: MessageEdit): Promise<void> {
  await connection.patch(`/messages/${id}`, {
    content: edit.content,
    prev_content_sha256: edit.prevContentSha256,
    topic: edit.topic,
    stream_id: edit.channelId,
    propagate_mode: edit.propagate,
    send_notification_to_old_thread: edit.notifiesOld,
    send_notification_to_new_thread: edit.notifiesNew,
  });
}

export async function deleteMessage(connection: Connection, id: number): Promise<void> {
  await connection.delete(`/messages/${id}`);
}

/** The Markdown of a message, as its editor begins with it. */
export async function getRawContent(connection: Connection, id: number): Promise<string> {
  type Reply = { raw_content: string };
  return (await connection.get<Reply>(`/messages/${id}`)).raw_content;
}

/** Returns the versions of a message, oldest first. */
export async function getMessageHistory(connection: Connection, id: number): Promise<MessageSnapshot[]> {
  type Reply = { message_history: MessageSnapshot[] };
  const params = { allow_empty_topic_name: true };
  return (await connection.get<Reply>(`/messages/${id}/history`, params)).message_history;
}

/** Markdown as the server would show it: HTML. */
export async function renderMarkdown(
  connection: Connection,
  content: string,
  signal?: AbortSignal,
): Promise<string> {
  const options = signal ? { signal } : {};
  return (await connection.post<{ rendered: string }>('/messages/render', { content }, options)).rendered;
}

/** The most messages of a portion. */
const portionSize = 1000;

/** Adds a flag such as `read` or `starred` to messages, or removes it, portion by portion. */
export async function setFlag(
  connection: Connection,
  op: 'add' | 'remove',
  flag: string,
  messages: readonly number[],
): Promise<void> {
  for (let at = 0; at < messages.length; at += portionSize) {
    const portion = messages.slice(at, at + portionSize);
    await connection.post('/messages/flags', { messages: portion, op, flag });
  }
}

/** Marks as read what matches a narrow, portion by portion. */
export async function markNarrowRead(
  connection: Connection,
  narrow: Narrow,
  signal?: AbortSignal,
): Promise<void> {
  type Reply = { last_processed_id: number | null; found_newest: boolean };
  const common = { num_before: 0, num_after: portionSize, narrow, op: 'add', flag: 'read' };
  const options = signal ? { signal } : {};
  let after: number | null = null;
  for (let isDone = false; !isDone;) {
    const start: object = after === null ? { anchor: 'oldest' } : { anchor: after, include_anchor: false };
    const reply: Reply = await connection.post('/messages/flags/narrow', { ...common, ...start }, options);
    after = reply.last_processed_id ?? after;
    isDone = reply.found_newest || reply.last_processed_id === null;
  }
}

/** Marks a message of a narrow as unread, and what came after it; the server says how far it came in one go. */
export async function markUnreadFrom(connection: Connection, narrow: Narrow, id: number): Promise<void> {
  type Reply = { last_processed_id: number | null; found_newest: boolean };
  const common = { num_before: 0, num_after: portionSize, narrow, op: 'remove', flag: 'read' };
  let start: object = { anchor: String(id), include_anchor: true };
  for (let isDone = false; !isDone;) {
    const reply: Reply = await connection.post('/messages/flags/narrow', { ...common, ...start });
    start = { anchor: String(reply.last_processed_id), include_anchor: false };
    isDone = reply.found_newest || reply.last_processed_id === null;
  }
}

/** Marks a message of a narrow as read, and what came before it. */
export async function markReadUpTo(connection: Connection, narrow: Narrow, id: number): Promise<void> {
  type Reply = { first_processed_id: number | null; found_oldest: boolean };
  const unread = [...narrow, { operator: 'is', operand: 'unread' }];
  const common = { num_before: portionSize, num_after: 0, narrow: unread, op: 'add', flag: 'read' };
  let start: object = { anchor: String(id), include_anchor: true };
  for (let isDone = false; !isDone;) {
    const reply: Reply = await connection.post('/messages/flags/narrow', { ...common, ...start });
    start = { anchor: String(reply.first_processed_id), include_anchor: false };
    isDone = reply.found_oldest || reply.first_processed_id === null;
  }
}

/** Lists who has read a message, among those who share that. */
export async function getReaders(connection: Connection, id: number): Promise<number[]> {
  return (await connection.get<{ user_ids: number[] }>(`/messages/${id}/read_receipts`)).user_ids;
}

/** Changes the poll or the list of tasks that a message carries. */
export async function sendSubmessage(connection: Connection, id: number, change: object): Promise<void> {
  const content = JSON.stringify(change);
  await connection.post('/submessage', { message_id: id, msg_type: 'widget', content });
}

/** Does what a text such as `/dark` asks for; answers with what the server says to it. */
export async function runCommand(connection: Connection, command: string): Promise<string> {
  return (await connection.post<{ msg: string }>('/zcommand', { command })).msg;
}

export type Emoji = Omit<Reaction, 'user_id'>;

export async function addReaction(connection: Connection, id: number, emoji: Emoji): Promise<void> {
  await connection.post(`/messages/${id}/reactions`, { ...emoji });
}

export async function removeReaction(connection: Connection, id: number, emoji: Emoji): Promise<void> {
  await connection.delete(`/messages/${id}/reactions`, { ...emoji });
}

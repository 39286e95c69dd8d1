import {
  type Emoji,
  type FetchedMessage,
  type Message,
  type Narrow,
  addReaction,
  editMessage,
  getRawContent,
  inTopic,
  markReadUpTo,
  markUnreadFrom,
  removeReaction,
  setFlag,
  setTopicPolicy,
  topicKey,
} from '@parley/client';

import { fenced } from '../../base/fields/fenced.ts';
import { toPeople, toTopic } from '../../base/router/narrow.ts';
import { showToast, showError } from '../../base/toasts/toasts.tsx';
import { actionText, topicText } from '../../strings/actions.ts';
import { peek } from '../live/state.ts';
import { nameIn } from '../people/names.ts';
import { connection } from '../session/session.ts';
import { appendContent, askFocus, openBlank, openComposition } from '../writing/composition.ts';
import { targetOfMessage, toChannelTarget } from '../writing/target.ts';

/** Does something that may be refused, and shows a refusal as a toast. */
export function attempt(doing: Promise<unknown>, done?: string): void {
  const announced = async () => {
    await doing;
    if (done !== undefined) showToast(done);
  };
  announced().catch(showError);
}

export const isStarred = ({ flags }: Message): boolean => flags.includes('starred');

export const toggleStar = (message: Message): void =>
  attempt(setFlag(connection(), isStarred(message) ? 'remove' : 'add', 'starred', [message.id]));

/** Reacts with an emoji, or removes the user's reaction. */
export function toggleReaction({ id, reactions }: Message, emoji: Emoji): void {
  const { emoji_name, emoji_code, reaction_type } = emoji;
  const isThere = reactions.some(
    (one) =>
      one.user_id === peek().own.user_id &&
      one.emoji_code === emoji_code &&
      one.reaction_type === reaction_type,
  );
  const change = isThere ? removeReaction : addReaction;
  attempt(change(connection(), id, { emoji_name, emoji_code, reaction_type }));
}

const channelName = (id: number) => (peek().subscriptions.get(id) ?? peek().channels.get(id))?.name ?? '';

/** The fragment that leads to a message in its conversation. */
function fragmentOf({ id, stream_id, subject, people = '' }: Message): string {
  if (stream_id !== undefined) return toTopic(stream_id, channelName(stream_id), subject, { near: id });
  const all = people.split(',').filter(Boolean).map(Number);
  const others = all.filter((one) => one !== peek().own.user_id);
  return toPeople(others.length > 0 ? others : all, id);
}

export const linkTo = (message: Message): string => `${peek().own.realm_url}/${fragmentOf(message)}`;

/** Puts a text where it can be pasted. */
export function copy(text: string): void {
  // Browsers open the clipboard only to pages that came over TLS, or from this machine.
  const { clipboard } = navigator as { clipboard?: Clipboard };
  if (clipboard) attempt(clipboard.writeText(text), actionText.copied);
  else showToast(text);
}

/** Opens the compose box for who is answered. */
export function reply(message: Message): void {
  openComposition(targetOfMessage(message, peek().own.user_id));
  askFocus();
}

/** Opens the compose box for whoever wrote a message, and nobody else. */
export function replyDirectly({ sender_id }: Message): void {
  openComposition({ kind: 'direct', userIds: [sender_id] });
  askFocus();
}

/** Opens the compose box for who is answered, with a mention of the sender. */
export function replyMentioning(message: Message): void {
  reply(message);
  appendContent(`@**${nameIn(peek(), message.sender_id)}|${message.sender_id}** `);
  askFocus();
}

/** Answers with what is answered to before it. */
export async function quote(message: Message): Promise<void> {
  const quoted = await quotationOf(message);
  openComposition(targetOfMessage(message, peek().own.user_id));
  appendContent(quoted);
  askFocus();
}

async function quotationOf(message: Message): Promise<string> {
  const raw = await getRawContent(connection(), message.id);
  const name = nameIn(peek(), message.sender_id);
  return `@_**${name}|${message.sender_id}** [said](${linkTo(message)}):\n${fenced(raw, 'quote')}\n\n`;
}

/** Begins a message to somewhere else with what a message says. */
export async function forward(message: Message): Promise<void> {
  const quoted = await quotationOf(message);
  openBlank(toChannelTarget(null));
  appendContent(quoted);
  askFocus('recipient');
}

/** Copies what the sender wrote. */
export async function copySource({ id }: Message): Promise<void> {
  copy(await getRawContent(connection(), id));
}

export const isCollapsed = ({ flags }: Message): boolean => flags.includes('collapsed');

export const toggleCollapsed = (message: Message): void =>
  attempt(setFlag(connection(), isCollapsed(message) ? 'remove' : 'add', 'collapsed', [message.id]));

const thumbsUp: Emoji = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };

export const toggleThumbsUp = (message: Message): void => toggleReaction(message, thumbsUp);

/** Joins those who reacted first, or leaves them. Returns false where nobody has reacted. */
export function toggleFirstReaction(message: Message): boolean {
  const [first] = message.reactions;
  if (first) toggleReaction(message, first);
  return first !== undefined;
}

/** Mutes a topic, or ends that. */
export function toggleTopicMuted(channelId: number, topic: string): void {
  const policy = peek().topics.get(topicKey(channelId, topic))?.visibility_policy;
  const isMuted = policy === 1;
  attempt(
    setTopicPolicy(connection(), channelId, topic, isMuted ? 0 : 1),
    isMuted ? topicText.unmuted : topicText.muted,
  );
}

/** The conversation of a message, as the API asks for it. */
function narrowOf(message: Message): Narrow {
  const { stream_id, subject } = message;
  const target = targetOfMessage(message, peek().own.user_id);
  if (stream_id === undefined)
    return [{ operator: 'dm', operand: target.kind === 'direct' ? target.userIds : [] }];
  return [
    { operator: 'channel', operand: stream_id },
    { operator: 'topic', operand: subject },
  ];
}

/** Marks a message and what came after it in its conversation as unread. */
export const markUnread = (message: Message): void =>
  attempt(markUnreadFrom(connection(), narrowOf(message), message.id), actionText.markedUnread);

/** Marks a message and what came before it in its conversation as read. */
export const markReadTo = (message: Message): void =>
  attempt(markReadUpTo(connection(), narrowOf(message), message.id), actionText.markedRead);

const resolvedMark = '✔ ';

export const isResolved = (topic: string): boolean => topic.startsWith(resolvedMark);

/** Marks a topic as resolved or unresolved. */
export async function toggleResolved(channelId: number, topic: string, messageId?: number): Promise<void> {
  const id = messageId ?? (await newestIn(channelId, topic));
  const renamed = isResolved(topic) ? topic.replace(/^[✔ ]+/, '') : `${resolvedMark}${topic}`;
  await editMessage(connection(), id, { topic: renamed, propagate: 'change_all', notifiesOld: false });
}

/** The newest message of a topic: what is done with the whole topic is asked of it. */
export async function newestIn(channelId: number, topic: string): Promise<number> {
  const { messages } = await connection().get<{ messages: FetchedMessage[] }>('/messages', {
    narrow: [
      { operator: 'channel', operand: channelId },
      { operator: 'topic', operand: topic },
    ],
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    allow_empty_topic_name: true,
  });
  const [newest] = messages;
  if (!newest) throw new Error(topicText.empty);
  return newest.id;
}

/** Marks all of a topic as read. */
export const markTopicRead = (channelId: number, topic: string): void => {
  const ids = peek().unread.at.get(inTopic(channelId, topic));
  attempt(setFlag(connection(), 'add', 'read', [...(ids ?? [])]));
};

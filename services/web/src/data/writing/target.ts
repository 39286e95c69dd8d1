import { type Destination, type Message, type Place, type State, amongPeople, inTopic } from '@parley/client';

import {
  type Narrow,
  channelOf,
  peopleOf,
  toChannel,
  toPeople,
  topicOf,
  toTopic,
} from '../../base/router/narrow.ts';
import { nameText } from '../../strings/common.ts';
import { targetText } from '../../strings/compose.ts';
import { listNames } from '../../strings/language.ts';
import { newestKnown } from '../topics/topics.ts';

/** To whom something is written, as far as it has been chosen. */
export type Target =
  | { readonly kind: 'channel'; readonly channelId: number | null; readonly topic: string }
  /** The others of the conversation, or oneself alone. */
  | { readonly kind: 'direct'; readonly userIds: readonly number[] };

export const toChannelTarget = (channelId: number | null, topic = ''): Target => ({
  kind: 'channel',
  channelId,
  topic,
});

/** Equal for targets that are the same conversation. */
export function keyOf(target: Target, ownId: number): Place {
  if (target.kind === 'channel') return inTopic(target.channelId ?? 0, target.topic);
  return target.userIds.length === 0 ? 'nobody' : amongPeople(target.userIds.filter((id) => id !== ownId));
}

/** Returns whom a message from a narrow goes to; null where the narrow is no conversation. */
export function targetOfNarrow(narrow: Narrow): Target | null {
  const [channelId, topic, userIds] = [channelOf(narrow), topicOf(narrow), peopleOf(narrow)];
  if (channelId !== null) return toChannelTarget(channelId, topic ?? '');
  return userIds && userIds.length > 0 ? { kind: 'direct', userIds } : null;
}

/** Returns whom a reply to a message goes to. */
export function targetOfMessage({ stream_id, subject, people = '' }: Message, ownId: number): Target {
  if (stream_id !== undefined) return toChannelTarget(stream_id, subject);
  const all = people.split(',').filter(Boolean).map(Number);
  const others = all.filter((id) => id !== ownId);
  return { kind: 'direct', userIds: others.length > 0 ? others : [ownId] };
}

/** Returns where the message goes; null while something has to be chosen. */
export function destinationOf(target: Target): Destination | null {
  if (target.kind === 'direct') return target.userIds.length > 0 ? { userIds: target.userIds } : null;
  const { channelId, topic } = target;
  return channelId === null ? null : { channelId, topic: topic.trim() };
}

/** The fragment of the conversation that is written to, as far as it has been chosen; null before. */
export function fragmentOf(target: Target, { channels }: State): string | null {
  if (target.kind === 'direct') return target.userIds.length > 0 ? toPeople(target.userIds) : null;
  const { channelId, topic } = target;
  if (channelId === null) return null;
  const name = channels.get(channelId)?.name ?? '';
  const named = topic.trim();
  if (named === '') return toChannel(channelId, name);
  return toTopic(channelId, name, named, { with: newestKnown(channelId, named) });
}

/** Returns the name of a target. */
export function nameOf(target: Target, { users, channels, subscriptions, own }: State): string {
  if (target.kind === 'direct') {
    if (target.userIds.length === 0) return targetText.someone;
    return listNames(
      target.userIds.map((id) =>
        id === own.user_id ? targetText.yourself : (users.get(id)?.full_name ?? nameText.user(id)),
      ),
    );
  }
  const { channelId, topic } = target;
  if (channelId === null) return targetText.channel;
  const name = (subscriptions.get(channelId) ?? channels.get(channelId))?.name ?? nameText.channel(channelId);
  return `#${name} › ${topic || nameText.generalChat}`;
}

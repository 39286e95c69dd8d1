import { type Place, type Subscription, markNarrowRead, setFlag } from '@parley/client';

import { toChannel } from '../../base/router/narrow.ts';
import { channelMenuText } from '../../strings/channels.ts';
import { peek } from '../live/state.ts';
import { connection } from '../session/session.ts';
import { askFocus, openBlank } from '../writing/composition.ts';
import { toChannelTarget } from '../writing/target.ts';

/** Changes what the reader has set for a channel. */
export async function setSubscription(stream_id: number, property: string, value: unknown): Promise<void> {
  const subscription_data = [{ stream_id, property, value }];
  await connection().post('/users/me/subscriptions/properties', { subscription_data });
}

export async function subscribe(name: string): Promise<void> {
  await connection().post('/users/me/subscriptions', { subscriptions: [{ name }] });
}

export async function unsubscribe(name: string): Promise<void> {
  await connection().delete('/users/me/subscriptions', { subscriptions: [name] });
}

/** What people are asked before they leave a channel to which they cannot come back by themselves. */
export const questionBeforeLeaving = ({
  name,
  invite_only,
}: Pick<Subscription, 'name' | 'invite_only'>): string | undefined =>
  invite_only ? channelMenuText.confirmLeave(name) : undefined;

/** Subscribes somebody else to a channel. */
export async function addToChannel(name: string, userId: number): Promise<void> {
  await connection().post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [userId] });
}

export async function removeFromChannel(name: string, userId: number): Promise<void> {
  await connection().delete('/users/me/subscriptions', { subscriptions: [name], principals: [userId] });
}

export const markChannelRead = async (id: number): Promise<void> =>
  await markNarrowRead(connection(), [
    { operator: 'channel', operand: id },
    { operator: 'is', operand: 'unread' },
  ]);

/** Marks all of a direct conversation as read. */
export const markPlaceRead = async (place: Place): Promise<void> =>
  await setFlag(connection(), 'add', 'read', [...(peek().unread.at.get(place) ?? [])]);

/** Opens the box to begin a topic in a channel. */
export function beginTopic(id: number): void {
  openBlank(toChannelTarget(id));
  askFocus('recipient');
}

export const linkToChannel = (id: number, name: string): string =>
  `${peek().own.realm_url}/${toChannel(id, name)}`;

/** Mutes a person, or ends that. */
export async function setMuted(userId: number, isMuted: boolean): Promise<void> {
  const path = `/users/me/muted_users/${userId}`;
  await (isMuted ? connection().post(path) : connection().delete(path));
}

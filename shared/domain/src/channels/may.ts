import { type Actor, isAdministrator, isGuest } from '../actor.ts';
import { isIncluded } from '../user-groups/may.ts';
import type { ChannelRow } from './present.ts';

/** What a user is to a channel. */
export interface Access {
  channel: ChannelRow;
  isSubscribed: boolean;
}

type User = Pick<Actor, 'id' | 'role'>;
type Groups = readonly { id: number; name: string }[];

/** Metadata access: that the channel exists, its name and settings, who is subscribed. */
export function maySeeChannel(user: User, access: Access, groups: Groups): boolean {
  if (mayRead(user, access) || isAdministrator(user)) return true;
  return (
    !isGuest(user) && isIncluded(user, access.channel.groupSettings.can_administer_channel_group, groups)
  );
}

/** Content access. Administrators see that a private channel exists, not what is said in it. */
export function mayRead(user: Pick<Actor, 'role'>, { channel, isSubscribed }: Access): boolean {
  return isSubscribed || channel.isWebPublic || (!channel.isPrivate && !isGuest(user));
}

/** Whether a newcomer reads what was said before: without it, only what they received themselves. */
export const mayReadHistory = (user: User, access: Access) =>
  mayRead(user, access) && access.channel.sharesHistory;

export function maySend(user: User, access: Access, groups: Groups): boolean {
  return isIncluded(user, access.channel.groupSettings.can_send_message_group, groups);
}

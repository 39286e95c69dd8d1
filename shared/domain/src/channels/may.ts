import type { ChannelGroupSetting } from '@parley/protocol';

import { isAdministrator, isGuest } from '../actor.ts';
import type { Rules } from '../realms/rules.ts';
import type { Member } from '../user-groups/may.ts';
import type { ChannelRow } from './present.ts';

/** What a user is to a channel. */
export interface Access {
  channel: ChannelRow;
  isSubscribed: boolean;
}

/** Whether a permission of the channel itself names the user. What the organization permits is another question. */
export const holds = (user: Member, { channel }: Access, permission: ChannelGroupSetting, rules: Rules) =>
  rules.includes(channel.groupSettings[permission], user);

/** Metadata access: that the channel exists, its name and settings, who is subscribed. */
export function maySeeChannel(user: Member, access: Access, rules: Rules): boolean {
  if (mayRead(user, access, rules) || isAdministrator(user)) return true;
  return !isGuest(user) && holds(user, access, 'can_administer_channel_group', rules);
}

/** Content access. Administrators see that a private channel exists, not what is said in it. */
export function mayRead(user: Member, access: Access, rules: Rules): boolean {
  const { channel, isSubscribed } = access;
  if (isSubscribed || channel.isWebPublic || (!channel.isPrivate && !isGuest(user))) return true;
  return !isGuest(user) && mayJoin(user, access, rules);
}

/** Whoever may let others in, or come in, may look first. */
const mayJoin = (user: Member, access: Access, rules: Rules) =>
  holds(user, access, 'can_add_subscribers_group', rules) ||
  holds(user, access, 'can_subscribe_group', rules);

/** Whether a newcomer reads what was said before: without it, only what they received themselves. */
export const mayReadHistory = (user: Member, access: Access, rules: Rules) =>
  mayRead(user, access, rules) && access.channel.sharesHistory;

export const mayAdminister = (user: Member, access: Access, rules: Rules) =>
  isAdministrator(user) || holds(user, access, 'can_administer_channel_group', rules);

export const maySend = (user: Member, access: Access, rules: Rules) =>
  holds(user, access, 'can_send_message_group', rules);

/** Whether a user may subscribe others. Who may read the channel at all is another question. */
export const mayAddSubscribers = (user: Member, access: Access, rules: Rules) =>
  rules.may(user, 'can_add_subscribers_group') ||
  holds(user, access, 'can_add_subscribers_group', rules) ||
  mayAdminister(user, access, rules);

export const mayRemoveSubscribers = (user: Member, access: Access, rules: Rules) =>
  mayAdminister(user, access, rules) || holds(user, access, 'can_remove_subscribers_group', rules);

type Visibility = Pick<ChannelRow, 'isPrivate' | 'isWebPublic'>;

/** Whether a user may make channels that so many can see, new ones or of others. */
export function mayMake(user: Member, { isPrivate, isWebPublic }: Visibility, rules: Rules): boolean {
  if (isWebPublic) return rules.may(user, 'can_create_web_public_channel_group');
  return rules.may(user, isPrivate ? 'can_create_private_channel_group' : 'can_create_public_channel_group');
}

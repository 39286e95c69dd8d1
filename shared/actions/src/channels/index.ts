export { channelAccessEvents } from './access-events.ts';
export { refreshActivity } from './activity.ts';
export { archive } from './archive.ts';
export { create } from './create.ts';
export { addDefault, type FirstChannels, removeDefault, subscribeNewUser } from './defaults/channels.ts';
export {
  changeDefaultGroupChannels,
  createDefaultGroup,
  editDefaultGroup,
  removeDefaultGroup,
} from './defaults/groups.ts';
export { edit } from './edit/edit.ts';
export { refreshFirstMessage } from './first-message.ts';
export { type GroupChange, groupAccessEvents } from './group-access-events.ts';
export type { NewChannelSettings } from './insert.ts';
export { addSubscribers } from './subscriptions/add-subscribers.ts';
export { changeSubscriptions } from './subscriptions/change.ts';
export { editSubscriptionSettings } from './subscriptions/edit.ts';
export { subscribe } from './subscriptions/subscribe.ts';
export { unsubscribe } from './subscriptions/unsubscribe.ts';
export { measureTraffic } from './traffic.ts';

export {
  type ChannelReference,
  listChannelsWithChangedActivity,
  recentlyActiveChannelCondition,
} from './activity.ts';
export { getChannelEmailAddress } from './email-address.ts';
export {
  archivedChannelFields,
  channelAddedEvents,
  channelRemovedEvents,
  channelUpdateEvent,
  firstMessageIdPlaceholder,
  subscriptionAddedEvents,
} from './events.ts';
export {
  isSubscribedTo,
  listChannelHeads,
  listSubscribedChannelIds,
  listSubscribedAmong,
  listSubscribers,
  mayNameAudiences,
  listVisibleSubscribedChannelIds,
} from './find.ts';
export { firstMessageIdEvent, refreshedFirstMessageIdEvent } from './first-message.ts';
export {
  type ChannelHead,
  inheritedSettings,
  legacyPostPolicy,
  type Membership,
  presentChannel,
} from './present.ts';
export {
  type ChannelRecord,
  channelsState,
  type IncludeSubscribers,
  listChannelRecords,
  listInheriting,
  presentVisibleChannel,
  subscriptionsState,
} from './state.ts';
export { listRealmsToMeasure } from './traffic.ts';

export { defaultChannelsEvent, defaultChannelsState, listDefaultChannels } from './channels.ts';
export { defaultChannelGroupsEvent, defaultChannelGroupsState } from './groups.ts';

export { botAddedEvent, botOwnershipEvents, botUpdatedEvent } from './events.ts';
export { getBot, getBotDefaults, listOwnBots, resolveBotChannelId } from './find.ts';
export { hideChannelNames, presentBot, presentBots } from './present.ts';
export { botsState } from './state.ts';

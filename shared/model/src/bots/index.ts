export { botAddedEvent, botOwnershipEvents, botUpdatedEvent } from './events.ts';
export {
  findIntegrationSecret,
  getBot,
  getBotDefaults,
  integrationSecretKey,
  listOwnBots,
  resolveBotChannelId,
} from './find.ts';
export { hideChannelNames, presentBot, presentBots } from './present.ts';
export { botsState } from './state.ts';

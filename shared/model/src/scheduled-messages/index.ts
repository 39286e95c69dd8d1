export { presentScheduledMessage, scheduledMessagesState } from './state.ts';

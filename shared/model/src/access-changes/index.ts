export { guestRestrictionEvents, newConversationAccessEvents, withAccessChanges } from './events.ts';

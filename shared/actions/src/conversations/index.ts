export { ensureDirectConversation } from './ensure.ts';

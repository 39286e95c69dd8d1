export { deactivateBot } from './deactivate-bot.ts';
export { deactivate, deactivateSelf } from './deactivate.ts';
export { reactivate } from './reactivate.ts';

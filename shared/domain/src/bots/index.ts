export * from './create.ts';
export * from './deactivate.ts';
export { type BotEdit, edit } from './edit.ts';
export { findDefaults, listOwnBots } from './find.ts';
export { presentBot, presentBots } from './present.ts';
export * from './regenerate-key.ts';
export * from './state.ts';

export { assertMayCreate, create, parseEmojiName } from './create.ts';
export { deactivate } from './deactivate.ts';

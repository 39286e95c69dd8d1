export { create } from './create.ts';
export { edit } from './edit.ts';
export { assertBotNameIsFree } from './names.ts';
export { assertMayCreateBot } from './permissions.ts';
export { regenerateKey } from './regenerate-key.ts';

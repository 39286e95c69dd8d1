export { getPresence } from './find.ts';
export { slimPresence } from './present.ts';
export { presenceState } from './state.ts';

export { mute } from './mute.ts';
export { unmute } from './unmute.ts';

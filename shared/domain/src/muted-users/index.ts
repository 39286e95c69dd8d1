export * from './mute.ts';
export * from './state.ts';
export * from './unmute.ts';

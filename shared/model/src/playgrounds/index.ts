export { listPlaygrounds } from './find.ts';
export { playgroundsEvent } from './present.ts';
export { playgroundsState } from './state.ts';

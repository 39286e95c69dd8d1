export { getSessionActor } from './find.ts';
export { idOf, list } from './list.ts';

export { getSessionActor } from './find.ts';

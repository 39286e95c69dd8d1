export { type Identity, join } from './join.ts';

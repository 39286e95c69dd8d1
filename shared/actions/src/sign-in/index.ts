export { type Identity, join } from './join.ts';
export { type Subject, unlink } from './link.ts';

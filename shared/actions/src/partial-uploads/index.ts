export { append, finish } from './append.ts';
export { create } from './create.ts';
export { remove, removeExpired } from './remove.ts';

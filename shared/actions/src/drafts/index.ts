export { create } from './create.ts';
export { edit } from './edit.ts';
export { remove, removeAll } from './remove.ts';

export { create } from './create.ts';
export { edit } from './edit.ts';
export { remove } from './remove.ts';

export { create } from './create.ts';
export { edit } from './edit.ts';
export { remove } from './remove.ts';
export { reorder } from './reorder.ts';

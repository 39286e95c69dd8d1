export { create } from './create.ts';
export { edit } from './edit.ts';
export { reorder } from './reorder.ts';

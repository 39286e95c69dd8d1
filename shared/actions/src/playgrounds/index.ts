export { create } from './create.ts';
export { remove } from './remove.ts';

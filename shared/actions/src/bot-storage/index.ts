export { put } from './put.ts';
export { remove } from './remove.ts';

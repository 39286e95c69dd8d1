export { create } from './create.ts';
export { deliver } from './deliver.ts';
export { remove } from './remove.ts';

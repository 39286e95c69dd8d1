export { add } from './add.ts';
export { remove } from './remove.ts';
export { followSource } from './source.ts';

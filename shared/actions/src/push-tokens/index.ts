export { add } from './add.ts';
export { remove, removeAll } from './remove.ts';

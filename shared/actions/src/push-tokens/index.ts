export { add } from './add.ts';
export { remove, removeAll, removeGone } from './remove.ts';

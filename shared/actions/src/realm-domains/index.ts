export { add } from './add.ts';
export { edit } from './edit.ts';
export { remove } from './remove.ts';

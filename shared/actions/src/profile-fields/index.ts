export { create } from './create.ts';
export { edit } from './edit.ts';
export { remove } from './remove.ts';
export { reorder } from './reorder.ts';
export { type FieldInput, setFields, set } from './set.ts';

export { create } from './create.ts';
export { edit } from './edit.ts';
export { lockActiveChannelFolder } from './lock.ts';
export { reorder } from './reorder.ts';

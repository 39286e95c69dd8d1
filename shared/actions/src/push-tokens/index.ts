export { add } from './add.ts';
export { remove, removeAll, removeExpired, removeGone } from './remove.ts';
export { subscribe, unsubscribe } from './subscribe.ts';

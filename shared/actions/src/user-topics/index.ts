export { mute, setPolicy, unmute } from './change.ts';
export { participate } from './participate.ts';
export { setPolicies } from './set.ts';

export { mute, setPolicy, unmute } from './set-policy.ts';
export { participate } from './participate.ts';
export { setPolicies } from './set-policies.ts';

export { type VapidKeys, ensure } from './ensure.ts';
export { sealAnew } from './seal-anew.ts';

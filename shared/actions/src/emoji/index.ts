export { deactivate } from './deactivate.ts';

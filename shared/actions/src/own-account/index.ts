export { edit } from './edit.ts';

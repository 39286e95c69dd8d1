export { type PageResult, removeEmpty, save } from './save.ts';

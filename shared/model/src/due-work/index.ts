export { listDueWork } from './list.ts';

export { createQueueNode } from './app.ts';

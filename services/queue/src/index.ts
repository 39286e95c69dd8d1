export { createQueueNode } from './app.ts';
export { queueConfig } from './config.ts';

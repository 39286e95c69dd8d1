export { type SocketlessNode, createQueueNode, createSocketlessNode } from './app.ts';
export { queueConfig } from './config.ts';
export { Exchange } from './http/exchange.ts';
export { unsaidWarning } from './queues/renewals.ts';

export type { SqlServers } from '@parley/log';
export { type Engine, createEngine } from './engine.ts';
export { type Performed, type WithoutLog, createPerformer } from './perform.ts';
export { type MessageSender, type SentMessage, senderById } from './send-message.ts';

export { type Engine, type EngineOptions, type Performed, type WithoutLog, createEngine } from './engine.ts';
export { type MessageSender, type SentMessage, senderById } from './send-message.ts';

export { backoffMs, pause } from './backoff.ts';
export { WorkStarved, runBounded } from './bounded.ts';
export { type Clock, systemClock } from './clock.ts';
export { canSendMail, commonConfig, drainConfig, mailConfig, readConfig } from './config.ts';
export { every } from './every.ts';
export { createFairLimit } from './fair-limit.ts';
export { type Logger, createLogger } from './logger.ts';
export { exitAfter, shutdownSignal } from './shutdown.ts';
export { type Turns, createTurns } from './turns.ts';

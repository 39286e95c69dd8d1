export * from './backoff.ts';
export * from './clock.ts';
export * from './config.ts';
export * from './logger.ts';
export * from './shutdown.ts';

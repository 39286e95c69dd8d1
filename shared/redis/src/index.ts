export * from './connect.ts';
export * from './control.ts';
export * from './ephemeral.ts';
export * from './jobs.ts';
export * from './keys.ts';
export * from './rate-limits.ts';
export * from './registry.ts';

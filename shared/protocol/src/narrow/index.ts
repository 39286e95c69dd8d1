export * from './queue-narrow.ts';

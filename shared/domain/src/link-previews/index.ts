export type { PageFacts } from '@parley/markdown';
export { listStale } from './find.ts';
export * from './keep.ts';

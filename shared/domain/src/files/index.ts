export * from './loose.ts';
export * from './places.ts';

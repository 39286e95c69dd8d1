export * from './connect.ts';
export * from './keys.ts';

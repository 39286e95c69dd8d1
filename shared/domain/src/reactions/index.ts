export * from './add.ts';
export * from './remove.ts';

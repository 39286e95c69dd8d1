export * from './connect.ts';
export * from './control.ts';
export * from './keys.ts';
export * from './registry.ts';

export * from './create.ts';
export * from './find.ts';
export * from './password.ts';
export * from './present.ts';
export * from './regenerate-key.ts';
export * from './state.ts';

export * from './create.ts';
export * from './edit-settings.ts';
export * from './find.ts';
export * from './password.ts';
export * from './present.ts';
export * from './regenerate-key.ts';
export * from './settings-state.ts';
export * from './state.ts';

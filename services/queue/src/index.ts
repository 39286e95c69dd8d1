export * from './app.ts';
export * from './config.ts';
export * from './options.ts';

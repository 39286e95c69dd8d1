export * from './api-key.ts';
export * from './basic-auth.ts';
export * from './error-reply.ts';
export * from './form.ts';
export * from './realm-host.ts';
export * from './reply.ts';

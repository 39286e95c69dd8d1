export { type ApiDeps, createApp } from './app.ts';
export type { Endpoint } from './endpoint.ts';
export { endpoints } from './routes/index.ts';

export { createApp } from './app.ts';
export { type Endpoint, commonErrors, errorsOf } from './endpoint.ts';
export { endpoints } from './routes/index.ts';

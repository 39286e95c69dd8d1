export { createDocument } from './openapi/document.ts';
export { createApp } from './app.ts';
export { apiConfig } from './config.ts';
export { type Endpoint, commonErrors, errorsOf } from './endpoint/endpoint.ts';
export { sectionTypes } from './register/sections.ts';
export { createApiServer } from './http/server.ts';
export { endpoints } from './routes/index.ts';

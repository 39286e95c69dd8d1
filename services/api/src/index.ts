export { createDocument } from './openapi/document.ts';
export { createApp } from './app.ts';
export { apiConfig } from './config.ts';
export type { JsonEndpoint } from './endpoint/endpoint.ts';
export { type Endpoint, addressOf, commonErrors, errorsOf, nameOf } from './endpoint/kinds.ts';
export { register } from './register/register.ts';
export { sectionTypes } from './register/sections.ts';
export { createApiServer } from './http/server.ts';
export { endpoints } from './endpoints.ts';

export { deriveApiKey, sameKey } from './api-key.ts';
export { type BasicCredentials, notLoggedIn, readBasicAuth } from './basic-auth.ts';
export { errorReply } from './error-reply.ts';
export { type Form, readForm, silentParameters } from './form.ts';
export { type Hosts, realmOfHost } from './realm-host.ts';
export { headerBytesMax, jsonHeaders, methodNotAllowed, refuseConnection } from './reply.ts';

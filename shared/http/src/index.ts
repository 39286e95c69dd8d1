export { acceptedApiKeys, createKeyDigests, deriveApiKey, isAcceptedKey, sameKey } from './api-key.ts';
export { type BasicCredentials, notLoggedIn, readApiKey, readBasicAuth } from './basic-auth.ts';
export { type ClientAddress, createClientAddress } from './client-address.ts';
export { errorReply } from './error-reply.ts';
export { type Form, readForm, silentParameters, tooManyParameters } from './form.ts';
export { textOfItsOwn } from './own-text.ts';
export { type Hosts, realmOfHost } from './realm-host.ts';
export { drain, readBody } from './request-body.ts';
export { requestIdHeader, requestIdOf } from './request-id.ts';
export { assertHeadIsValid } from './request-head.ts';
export {
  type PresentedSession,
  assertCsrfToken,
  csrfCookie,
  csrfTokenOf,
  hashSessionToken,
  newSessionToken,
  readCookie,
  readSession,
  sessionChallenge,
  sessionCookies,
} from './session.ts';
export {
  headerBytesMax,
  jsonHeaders,
  methodNotAllowed,
  refuseConnection,
  strictTransportSecurity,
} from './reply.ts';

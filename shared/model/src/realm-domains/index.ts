export { assertEmailAllowed, createEmailCheck } from './email-refusal.ts';
export { listRealmDomains } from './find.ts';
export { parseRealmDomain } from './parse.ts';
export { presentRealmDomain, realmDomainsState } from './state.ts';

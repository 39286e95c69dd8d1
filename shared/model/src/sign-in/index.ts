export { findUserBySubject } from './find.ts';
export { enabledMethods, presentMethods } from './methods.ts';

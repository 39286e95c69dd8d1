export { enabledMethods, presentMethods } from './methods.ts';

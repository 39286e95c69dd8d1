export * from './deactivate.ts';
export * from './extra.ts';
export * from './resolve.ts';
export * from './state.ts';
export { unicodeNames } from './unicode-names.ts';
export { isUnicodeCode } from './unicode.ts';

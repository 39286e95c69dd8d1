export { type AlertWordCache, type AlertWordMatcher, createAlertWordCache, noAlertWords } from './matcher.ts';
export { alertWordsState } from './state.ts';

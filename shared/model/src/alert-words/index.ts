export {
  type AlertWordCache,
  type AlertWordMatcher,
  createAlertWordCache,
  createAlertWordMatcher,
  noAlertWords,
} from './matcher.ts';
export { alertWordsState } from './state.ts';

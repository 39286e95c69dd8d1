export {
  type AlertWordCache,
  type AlertWordMatcher,
  createAlertWordCache,
  createAlertWordMatcher,
  noAlertWords,
  processAlertWords,
} from './matcher.ts';
export { alertWordsState } from './state.ts';

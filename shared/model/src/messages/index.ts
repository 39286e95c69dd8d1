export {
  type MessageAwaitingPreviews,
  findMessageAwaitingPreviews,
  listMessagesAwaitingPreviews,
} from './awaiting-previews.ts';
export type { Anchor } from './anchors.ts';
export { fetchMessageIds } from './fetch-ids.ts';
export { fetchMessages, fetchMessagesByIds } from './fetch.ts';
export { listMessageHistory } from './history.ts';
export { silentGroupMention, silentMention, topicMention } from './mentions.ts';
export { findNarrowMatches } from './narrow-matches.ts';
export type { NarrowTerm } from './narrow-names.ts';
export { findTopicSpelling, movesOf } from './changes.ts';
export { type ExpiredPlace, listExpiredPlaces } from './expired.ts';
export { searchKeys } from './search/condition.ts';
export { findCoverage } from './search/coverage.ts';
export { foldText } from './search/fold.ts';
export { indexedWordsOf } from './search/parse.ts';
export {
  findEngineLag,
  listRealmsToCollect,
  listRealmsToFeed,
  mergeSearchIndexes,
} from './search/maintain.ts';
export { uncollectedMax } from './search/newest.ts';
export { stopWords } from './search/stop-words.ts';
export { previewMessage } from './preview.ts';
export { listMessageReaders } from './read-receipts.ts';
export { getMaxMessageId } from './state.ts';
export { isMeMessage, parseMessageContent, parseTopicName, readEmptyTopic, truncateTopic } from './text.ts';
export {
  fromUnreadMessages,
  joinMessageMutes,
  messageMutedCondition,
  messageUnreadCondition,
  recentConversationsState,
  starredMessagesState,
} from './unread.ts';
export { unreadMessagesState } from './unread-state.ts';

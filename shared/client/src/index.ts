export { type DraftContent, createDraft, deleteDraft, updateDraft } from './calls/drafts.ts';
export {
  createReminder,
  deleteReminder,
  deleteScheduled,
  reschedule,
  scheduleMessage,
} from './calls/later.ts';
export {
  type Emoji,
  type MessageEdit,
  addReaction,
  deleteMessage,
  editMessage,
  getMessageHistory,
  getRawContent,
  getReaders,
  markNarrowRead,
  markReadUpTo,
  markUnreadFrom,
  removeReaction,
  renderMarkdown,
  runCommand,
  sendSubmessage,
  setFlag,
} from './calls/messages.ts';
export { type Heartbeat, reportPresence } from './calls/presence.ts';
export { createSnippet, deleteSnippet } from './calls/snippets.ts';
export { type Topic, getTopics, setTopicPolicy } from './calls/topics.ts';
export { sendEditTyping, sendTyping } from './calls/typing.ts';
export { type Changed, type Client, type ClientOptions, createClient } from './client.ts';
export { delayMs, pause } from './connection/backoff.ts';
export { type ConnectOptions, type Connection, type RequestOptions, connect } from './connection/connect.ts';
export type { Credentials } from './connection/credentials.ts';
export { type Params } from './connection/encode.ts';
export { RequestFailed, Unreachable, isSignedOut, isTransient } from './connection/errors.ts';
export type { Upload } from './connection/upload.ts';
export { type FetchMessages, answer } from './follow/answer.ts';
export { registrationOfSession } from './follow/registration.ts';
export { capabilities } from './follow/capabilities.ts';
export { type FollowOptions, type Following, type Status, follow } from './follow/follow.ts';
export type { Listener } from './messages/emitter.ts';
export { pageOfSession } from './messages/early-page.ts';
export type { EarlyPage, Match } from './messages/history.ts';
export { type ListChange, type MessageList } from './messages/message-list.ts';
export type { Lists as MessageLists } from './messages/lists.ts';
export type { Anchor } from './messages/page-form.ts';
export { type Narrow, type Term, isMuted, matches, narrowKey } from './messages/narrow.ts';
export { type Destination, type Outbox, type PendingMessage } from './messages/outbox.ts';
export { type SpectatorLists, createSpectatorLists } from './spectator-lists.ts';
export { apply } from './state/apply.ts';
export { type Changes, type Questions, noChanges } from './state/changes.ts';
export {
  isPlaceFollowed,
  isPlaceMuted,
  unreadAmong,
  unreadAt,
  unreadInAll,
  unreadInChannel,
  unreadInTopic,
} from './state/counts.ts';
export { type AnyEvent, kindOf } from './state/event.ts';
export { type FetchedMessage, type Message, type Messages, toMessage } from './state/message.ts';
export { type Place, amongPeople, inTopic, peopleOf, placeOf, topicKey, topicOf } from './state/places.ts';
export { type Presence, mergePresences, presenceOf } from './state/presence.ts';
export { type Lists as RegisteredLists, type Registered, readState } from './state/read-state.ts';
export { type GroupSetting, isIncluded, derive, isReadable } from './state/derive.ts';
export type {
  ChannelWithSubscribers,
  Own,
  Slice,
  State,
  Subscription,
  Unread,
  UserGroup,
  UserTopic,
} from './state/state.ts';
export { applyFlags } from './state/unread.ts';
export type {
  ArchivePlace,
  ArchivedKind,
  ImportRefusal,
  ReasonCode,
  RefusalCode,
  Role,
  UserSettings,
} from '@parley/protocol';
export type { Roles } from './state/roles.ts';

export { collectTerms } from './collect-terms.ts';
export { deleteOne, deleteTopic } from './delete.ts';
export { edit } from './edit/edit.ts';
export { expire } from './expire.ts';
export { assertMayEditContent } from './edit/permissions.ts';
export {
  changeFlags,
  changeFlagsInNarrow,
  markAllRead,
  markChannelRead,
  markPlaceRead,
  markSenderRead,
  markTopicRead,
} from './flags/change.ts';
export type { FlagChange } from './flags/request.ts';
export { fenced } from './fenced.ts';
export { lockMessage, lockMessageForServer } from './lock.ts';
export { type NoticeWriter, noticeEvents } from './notices.ts';
export { addPreviews } from './previews/add.ts';
export { giveUpPreviews } from './previews/give-up.ts';
export { report, reportTypes } from './report.ts';
export { assertMayForge, getMirroredSenderId } from './send/mirror.ts';
export { replyTo } from './send/reply.ts';
export {
  type MessageText,
  type PreparedMessage,
  parseMessageText,
  plainMessage,
  prepare,
} from './send/pending-message.ts';
export { type SendPlan, isReusable, planSend } from './send/plan.ts';
export { type Restored, restore } from './restore.ts';
export {
  type Recipient,
  parseRecipient,
  assertMayPost,
  assertMayWriteTo,
  getRecipients,
} from './send/recipients.ts';
export { resolveMessage, send, sendPrepared } from './send/send.ts';
export { followSource, removeAsSource } from './source.ts';
export { trimArchive } from './trim-archive.ts';
export { withoutMentions } from './without-mentions.ts';

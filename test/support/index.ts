export { makeImport } from './archive-imports.ts';
export { deliver } from './deliver.ts';
export { startCuttingProxy } from './cutting-proxy.ts';
export { delayWrites } from './delays.ts';
export { startBeside } from './beside.ts';
export { type Browser, openBrowser } from './browser.ts';
export { newest } from './capabilities.ts';
export { scrape } from './metrics.ts';
export { isStatusOf, jsonEndpoints } from './contract.ts';
export { countQueries } from './count-queries.ts';
export {
  channelId,
  channelOf,
  createChannel,
  emptyChannel,
  idsOf,
  leave,
  say,
  subscribe,
  tell,
} from './conversations.ts';
export { addMembers, addReaders, fillConversationsOf, repeatMessage, setSubscriberCount } from './crowds.ts';
export { type Elsewhere, startElsewhere } from './elsewhere.ts';
export {
  exportEverything,
  exportRow,
  failExport,
  makeExport,
  requestEverything,
  saveArchive,
  workOnExport,
} from './exports.ts';
export { addEmoji, uploadEmoji } from './emoji.ts';
export { linkTo, statusFor, text, upload } from './files.ts';
export { openEmptyRedis, openRedis } from './open-redis.ts';
export {
  type Json,
  type Params,
  type Reply,
  type SentFile,
  call,
  encode,
  encodeMultipart,
  multipartType,
  picture,
} from './http.ts';
export { interrupt } from './interruptions.ts';
export { jobDeps, measureAll, runOnDemand, runRecurring, sweptAlone } from './jobs.ts';
export { type SearchServer, feedSearch, startSearchEngine } from './search-engine.ts';
export { acceptInvitation, askJoin, invitationKeyOf, joinByLink } from './invitations.ts';
export { joined } from './joined.ts';
export { type Event, type Listener, headOf, positionOf } from './listener.ts';
export { type Outside, type Page, pageOf, startOutside } from './outside.ts';
export {
  confirmEmail,
  confirmationPath,
  emailChangeOf,
  mailsTo,
  sendConfirmation,
  sendMails,
  startMailbox,
  type Mailbox,
  askUnsubscribe,
  resetKeyOf,
} from './mail.ts';
export {
  makeAccountOlder,
  makeChannelOlder,
  makeDeletionOlder,
  makeOlder,
  setAge,
  setLastActive,
  setLastSeen,
  setOldRendering,
  setSentAt,
} from './past.ts';
export { type Person, basic } from './person.ts';
export { fewestRoundTrips, startPostgresProxy } from './postgres-proxy.ts';
export {
  type BrowserServices,
  type PushBrowser,
  claimsOf,
  createPushBrowser,
  startBrowserServices,
} from './browser-services.ts';
export { addRemovals, decideWhom, devicesOf, forgetLog, notify, pendingFor } from './push.ts';
export { type PushReply, type PushServices, startPushServices } from './push-services.ts';
export { type TestRealm, builtRealm, personIn, realm } from './realm.ts';
export { deliverDue, fillSchedule, inSeconds, scheduleOf } from './schedule.ts';
export { joinByService, tokenFor } from './sign-in.ts';
export { done, outcomeOf, refused, succeed } from './replies.ts';
export { restoreDeleted } from './restore.ts';
export {
  addUnfinishedFolder,
  archivedContent,
  arePreviewsDue,
  countDanglingReferences,
  countFlags,
  countMessages,
  countReadingWrites,
  countRows,
  foldersToSweep,
  isInLog,
  keyGenerationOf,
  lastActiveDayOf,
  movesOf,
  ordinalOf,
  previewedUrls,
  readRangesOf,
  releaseUploads,
  storedHtml,
  versionsOf,
} from './rows.ts';
export { groupId, letForge, letManageAccounts, letSpectatorsIn, permit } from './rules.ts';
export {
  breakTopic,
  mendTopic,
  recodeReactions,
  setReceivedAs,
  setTopicsPolicy,
  setUploadQuota,
  untilSomebodyWaits,
  whileWritingPresence,
} from './states.ts';
export { type World, getWorld, takeBugs } from './world.ts';
export { createGroup, fillGroupsOf, fillPermissionOf, groupsById, people } from './user-groups.ts';
export { performDuring, performWhile } from './meanwhile.ts';
export { startOneAddress } from './one-address.ts';
export {
  parley,
  parleyJson,
  parleyProcess,
  parleyProgram,
  settingsOfWorld,
  withProcesses,
} from './parley.ts';
export {
  type WebhookService,
  addWebhookFailure,
  answering,
  answeringMegabytes,
  createWebhookBot,
  failWebhook,
  payloadOf,
  runWebhooks,
  servicesThatAnswer,
  startWebhookService,
  webhookClient,
  webhookDeliveriesOf,
} from './webhooks.ts';

import type { OnDemandJob, RecurringJob } from '../job.ts';
import { channelActivityJob } from './channel-activity.ts';
import { collectSearchTermsJob } from './collect-search-terms.ts';
import { confirmEmailJob } from './confirm-email.ts';
import { deliverDueJob } from './deliver-due.ts';
import { deliverWebhookJob } from './deliver-webhook.ts';
import { digestsJob } from './digests.ts';
import { expireMessagesJob } from './expire-messages.ts';
import { expireUploadsJob } from './expire-uploads.ts';
import { exportRealmJob } from './export-realm.ts';
import { feedSearchEngineJob } from './feed-search-engine.ts';
import { fillKeyDigestsJob } from './fill-key-digests.ts';
import { followForSearchJob } from './follow-for-search.ts';
import { fullMembersJob } from './full-members.ts';
import { importArchiveJob } from './import-archive.ts';
import { measureTrafficJob } from './measure-traffic.ts';
import { mergeSearchIndexesJob } from './merge-search-indexes.ts';
import { notifyRealmJob } from './notify-realm.ts';
import { notifyJob } from './notify.ts';
import { previewLinksJob } from './preview-links.ts';
import { resetPasswordJob } from './reset-password.ts';
import { sealVapidKeysJob } from './seal-vapid-keys.ts';
import { sendMailJob } from './send-mail.ts';
import { sendMissedMessagesJob } from './send-missed-messages.ts';
import { sendPushJob } from './send-push.ts';
import { sweepDueJob } from './sweep-due.ts';
import { sweepEmailChangesJob } from './sweep-email-changes.ts';
import { sweepExportsJob } from './sweep-exports.ts';
import { sweepFilesJob } from './sweep-files.ts';
import { sweepImportsJob } from './sweep-imports.ts';
import { sweepMailsJob } from './sweep-mails.ts';
import { sweepNotificationsJob } from './sweep-notifications.ts';
import { sweepPartialUploadsJob } from './sweep-partial-uploads.ts';
import { sweepPreviewsJob } from './sweep-previews.ts';
import { sweepSearchEngineJob } from './sweep-search-engine.ts';
import { sweepSearchTermsJob } from './sweep-search-terms.ts';
import { sweepTrafficJob } from './sweep-traffic.ts';
import { sweepWebhooksJob } from './sweep-webhooks.ts';
import { trimArchiveJob } from './trim-archive.ts';
import { trimLogJob } from './trim-log.ts';

export type { OnDemandJob, JobDeps, RecurringJob } from '../job.ts';

export const recurringJobs: readonly RecurringJob[] = [
  trimLogJob,
  expireMessagesJob,
  trimArchiveJob,
  expireUploadsJob,
  sweepFilesJob,
  sweepPartialUploadsJob,
  channelActivityJob,
  sweepTrafficJob,
  sweepSearchTermsJob,
  mergeSearchIndexesJob,
  followForSearchJob,
  sweepSearchEngineJob,
  fullMembersJob,
  fillKeyDigestsJob,
  sealVapidKeysJob,
  sweepPreviewsJob,
  sweepEmailChangesJob,
  sweepMailsJob,
  sweepExportsJob,
  sweepImportsJob,
  sweepDueJob,
  sweepWebhooksJob,
  notifyJob,
  sweepNotificationsJob,
  digestsJob,
];

export const onDemandJobs: readonly OnDemandJob[] = [
  previewLinksJob,
  confirmEmailJob,
  sendMailJob,
  resetPasswordJob,
  deliverDueJob,
  deliverWebhookJob,
  measureTrafficJob,
  collectSearchTermsJob,
  feedSearchEngineJob,
  notifyRealmJob,
  sendPushJob,
  sendMissedMessagesJob,
  exportRealmJob,
  importArchiveJob,
];

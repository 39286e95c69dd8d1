import { type Tx, tables } from '@parley/db';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import type { AfterCommit } from '../after-commit.ts';
import { editSubscriptionSettings } from '../channels/index.ts';
import { editSettings } from './edit-settings.ts';

/**
 * Ends a user's notifications and digests by mail, those of channels with settings of their own too. Whoever asks has one of the
 * mails.
 *
 * @throws UNAUTHORIZED for an account that is deactivated
 */
export async function endMailNotifications(
  tx: Tx,
  { realm, userId, nowMs }: { realm: Realm; userId: number; nowMs: number },
): Promise<ActionResult & AfterCommit> {
  const actor = await model.users.getActiveActor(tx, realm, userId);
  const { channels, conversationMembers: members } = tables;
  const notified = await tx
    .select({ channelId: channels.id })
    .from(members)
    .innerJoin(
      channels,
      and(eq(channels.realmId, realm.id), eq(channels.conversationId, members.conversationId)),
    )
    .where(
      and(
        eq(members.realmId, realm.id),
        eq(members.userId, userId),
        members.isSubscribed,
        members.emailNotifications,
      ),
    )
    .orderBy(channels.id);
  const edits = notified.map(({ channelId }) => ({
    channelId,
    property: 'email_notifications' as const,
    value: false,
  }));
  const subscriptions = await editSubscriptionSettings(tx, { actor, edits });
  const settings = await editSettings(tx, {
    actor,
    settings: {
      enable_offline_email_notifications: false,
      enable_followed_topic_email_notifications: false,
      enable_stream_email_notifications: false,
      enable_digest_emails: false,
    },
    nowMs,
  });
  return {
    ...settings,
    events: [...subscriptions.events, ...settings.events],
    changesRules: subscriptions.changesRules === true || settings.changesRules === true,
  };
}
endMailNotifications.actionName = 'users.endMailNotifications' as const;

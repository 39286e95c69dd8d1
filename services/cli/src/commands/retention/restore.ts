import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type RealmFlags, optionalTextFlag, realmFlags, yesFlag } from '../../flags.ts';
import { Refusal } from '../../refusal.ts';

interface Flags extends RealmFlags {
  since: Date;
  channel?: string;
  yes: boolean;
}

/** The most messages that one transaction restores. */
const batchMax = 50;

function readTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new Error(`${text} is not a time. Write it as 2026-11-20 or 2026-11-20T14:00Z.`);
  return time;
}

async function run(this: Context, { realm: name, since, channel, yes }: Flags): Promise<void> {
  await using deployment = await this.open();
  const { engine } = deployment;
  const realm = await deployment.getRealm(name);
  const found =
    channel === undefined
      ? undefined
      : await model.access.findChannel(engine.db, model.realms.operatorOf(realm), channel);
  const channelId = found?.channel.id;
  if (channel !== undefined && channelId === undefined) {
    throw new Refusal(`${realm.name} has no channel ${channel}.`);
  }
  const where = channel === undefined ? 'of the organization' : `of #${channel}`;
  await this.ask.confirm(
    `This restores all messages ${where} that were deleted since ${since.toISOString()}, including those that people deleted themselves.`,
    yes,
  );
  let [restored, tooOld] = [0, 0];
  for (let after: number | null = 0; after !== null;) {
    const from: number = after;
    const batch = await engine.perform(realm.id, actions.messages.restore, {
      realm,
      since,
      channelId,
      after: from,
      max: batchMax,
      now: new Date(),
    });
    restored += batch.restored;
    tooOld += batch.tooOld;
    after = batch.next;
  }
  this.show(
    { realm: realm.name, restored, too_old: tooOld },
    [
      `Restored ${restored} messages.`,
      ...(tooOld > 0
        ? [
            `Skipped ${tooOld} messages that are older than the retention period and would be deleted again. Extend the period first.`,
          ]
        : []),
    ].join('\n'),
  );
}

export const retentionRestoreCommand = buildCommand({
  func: run,
  parameters: {
    flags: {
      ...realmFlags,
      ...yesFlag,
      since: {
        kind: 'parsed',
        parse: readTime,
        placeholder: 'time',
        brief: 'Only messages that were deleted since then',
      },
      channel: optionalTextFlag('name', 'Only messages of this channel'),
    },
  },
  docs: {
    brief: 'Restore messages that were deleted in the last 30 days',
    fullDescription:
      'Restores messages that somebody or the retention policy deleted, with their reactions, stars, edits and uploads, where they were, as read by everyone. Clients of the people who had received them get them again.',
    customUsage: ['--since 2026-11-20', '--since 2026-11-20T14:00Z --channel general --realm acme --yes'],
  },
});

import { buildCommand } from '@stricli/core';

import { type ChosenFailures, changeWebhookFailures, chosenFailures } from '../../change-webhook-failures.ts';
import type { Context } from '../../context.ts';

async function run(this: Context, flags: ChosenFailures, ...ids: number[]): Promise<void> {
  const count = await changeWebhookFailures(this, 'replay', flags, ids);
  this.show({ replayed: count }, `Retrying ${count} messages.`);
}

export const webhookReplayCommand = buildCommand({
  func: run,
  parameters: chosenFailures,
  docs: {
    brief: 'Deliver messages again that could not be delivered',
    customUsage: ['12 13 --realm acme', '--all --realm acme'],
  },
});

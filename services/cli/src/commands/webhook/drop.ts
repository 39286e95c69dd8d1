import { buildCommand } from '@stricli/core';

import { type ChosenFailures, changeWebhookFailures, chosenFailures } from '../../change-webhook-failures.ts';
import type { Context } from '../../context.ts';

async function run(this: Context, flags: ChosenFailures, ...ids: number[]): Promise<void> {
  const count = await changeWebhookFailures(this, 'drop', flags, ids);
  this.show({ dropped: count }, `Deleted ${count} messages.`);
}

export const webhookDropCommand = buildCommand({
  func: run,
  parameters: chosenFailures,
  docs: {
    brief: 'Delete messages that could not be delivered',
    customUsage: ['12 13 --realm acme', '--all --realm acme'],
  },
});

import { systemClock } from '@parley/kit';
import { createOperatorToken, createSigner } from '@parley/redis';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type CommonFlags, commonFlags } from '../../flags.ts';

async function run(this: Context, _flags: CommonFlags): Promise<void> {
  await using deployment = await this.open();
  const { token, endsAt } = createOperatorToken(createSigner(deployment.getSecret()), systemClock);
  this.show({ token, ends_at: endsAt.toISOString() }, token);
}

export const operatorTokenCommand = buildCommand({
  func: run,
  parameters: { flags: commonFlags },
  docs: {
    brief: 'Make a token for the operators’ page',
    fullDescription:
      'Makes a token that signs one in at the operators’ page, /operators on the metrics port of any worker. It holds for ten minutes, the session that it begins for twelve hours.',
    customUsage: ['', '--json'],
  },
});

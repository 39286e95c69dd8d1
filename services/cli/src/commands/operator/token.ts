import { systemClock } from '@parley/kit';
import { createOperatorToken, createSigner } from '@parley/redis';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type CommonFlags, commonFlags } from '../../flags.ts';

async function run(this: Context, _flags: CommonFlags): Promise<void> {
  await using deployment = await this.open();
  const { token, endsAt } = createOperatorToken(createSigner(deployment.getSecrets()), systemClock);
  this.show({ token, ends_at: endsAt.toISOString() }, token);
}

export const operatorTokenCommand = buildCommand({
  func: run,
  parameters: { flags: commonFlags },
  docs: {
    brief: 'Create a token for the operators’ page',
    fullDescription:
      'Creates a token for signing in at the operators’ page, /operators on the metrics port of any worker. The token is valid for ten minutes, and the session that it starts for twelve hours.',
    customUsage: ['', '--json'],
  },
});

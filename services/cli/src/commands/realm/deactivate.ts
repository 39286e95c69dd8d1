import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type CommonFlags, commonFlags, oneArgument, yesFlag } from '../../flags.ts';

interface Flags extends CommonFlags {
  yes: boolean;
}

async function run(this: Context, { yes }: Flags, name: string): Promise<void> {
  await using deployment = await this.open();
  const realm = await deployment.getRealm(name);
  await this.ask.confirm(`Nobody will be able to use ${realm.url} any more. Its data is kept.`, yes);
  await deployment.engine.perform(realm.id, actions.realms.deactivate, {
    actor: model.realms.operatorOf(realm),
  });
  this.show({ realm: name, is_active: false }, `The organization ${name} has been deactivated.`);
}

export const realmDeactivateCommand = buildCommand({
  func: run,
  parameters: {
    flags: { ...commonFlags, ...yesFlag },
    positional: oneArgument('realm', 'Name of the organization'),
  },
  docs: {
    brief: 'Deactivate an organization; from then on all its accounts are refused',
    customUsage: ['acme', 'acme --yes'],
  },
});

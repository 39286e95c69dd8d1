import * as actions from '@parley/actions';
import { actorOf } from '@parley/model';
import { botTypes } from '@parley/protocol';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type RealmFlags, oneArgument, optionalTextFlag, realmFlags, textFlag } from '../../flags.ts';
import { Refusal } from '../../refusal.ts';
import { printable } from '../../table.ts';

const kinds = ['generic', 'incomingWebhook', 'outgoingWebhook'] as const;
const interfaces = { native: 1, slack: 2 } as const;

interface Flags extends RealmFlags {
  owner: string;
  name?: string;
  type: (typeof kinds)[number];
  url?: string;
  interface: keyof typeof interfaces;
}

async function run(this: Context, flags: Flags, shortName: string): Promise<void> {
  const { type, url } = flags;
  if ((type === 'outgoingWebhook') !== (url !== undefined)) {
    throw new Refusal('Only an outgoing webhook has a URL.', 'Give its URL: --url');
  }
  await using deployment = await this.open();
  const home = await deployment.getRealm(flags.realm);
  const owner = actorOf(await deployment.getUser(home, flags.owner), home);
  const service = url === undefined ? null : { baseUrl: url, interface: interfaces[flags.interface] };
  const input = { shortName, fullName: flags.name ?? shortName, type: botTypes[type], service };
  const { user } = await deployment.engine.perform(home.id, actions.bots.create, { actor: owner, ...input });
  this.show(
    { user_id: user.id, email: user.email, full_name: user.fullName, type, owner: owner.email },
    `${printable(user.fullName)} has the email address ${user.email}. Show its API key: parley key show ${user.email}`,
  );
}

export const botCreateCommand = buildCommand({
  func: run,
  parameters: {
    flags: {
      ...realmFlags,
      owner: textFlag('email', 'Email address of the owner'),
      name: optionalTextFlag('name', 'Full name; by default the short one'),
      type: { kind: 'enum', values: kinds, default: 'generic', brief: 'Type of the bot' },
      url: optionalTextFlag('url', 'URL that an outgoing webhook calls'),
      interface: {
        kind: 'enum',
        values: ['native', 'slack'],
        default: 'native',
        brief: 'Format of the requests of an outgoing webhook',
      },
    },
    positional: oneArgument('name', 'First part of its email address'),
  },
  docs: {
    brief: 'Create a bot',
    customUsage: [
      'echo --owner olivia@acme.example --name "Echo"',
      'builds --owner olivia@acme.example --type incomingWebhook',
      'helper --owner olivia@acme.example --type outgoingWebhook --url https://helper.acme.example/hook',
    ],
  },
});

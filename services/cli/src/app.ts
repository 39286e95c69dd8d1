import { type Application, buildApplication, buildRouteMap, text_en } from '@stricli/core';

import { migrateCommand } from './commands/migrate.ts';
import { realmCreateCommand } from './commands/realm/create.ts';
import { realmDeactivateCommand } from './commands/realm/deactivate.ts';
import { realmListCommand } from './commands/realm/list.ts';
import { userCreateCommand } from './commands/user/create.ts';
import type { Context } from './context.ts';
import { describeFailure, failureText } from './describe-failure.ts';

const realm = buildRouteMap({
  routes: { create: realmCreateCommand, list: realmListCommand, deactivate: realmDeactivateCommand },
  docs: { brief: 'Organizations: found one, list them, end one' },
});

const user = buildRouteMap({
  routes: { create: userCreateCommand },
  docs: { brief: 'Accounts: create one' },
});

const root = buildRouteMap({
  routes: { realm, user, migrate: migrateCommand },
  docs: {
    brief: 'Runs a deployment of Parley: its organizations, accounts, queues, jobs and log',
    fullDescription: `Runs a deployment of Parley: its organizations, accounts, queues, jobs and log.

It reads DATABASE_URL, REDIS_URL, PARLEY_SECRET and the other settings as the nodes have them. Beside \`npm start\` it finds them by itself.

Exit codes: 0 done, 1 refused or failed, 2 wrong command line.`,
  },
});

/** `parley` with all its commands. With `isJson`, failures are JSON, too. */
export const createApp = (isJson: boolean): Application<Context> =>
  buildApplication(root, {
    name: 'parley',
    scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
    documentation: { disableAnsiColor: true },
    localization: {
      text: {
        ...text_en,
        exceptionWhileRunningCommand: (error) => {
          const failure = describeFailure(error);
          return isJson ? JSON.stringify(failure) : failureText(failure);
        },
      },
    },
  });

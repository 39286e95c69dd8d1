import { type Application, buildApplication, buildRouteMap, text_en } from '@stricli/core';

import { botCreateCommand } from './commands/bot/create.ts';
import { completionCommand } from './commands/completion.ts';
import { downloadCommand } from './commands/download.ts';
import { exportCommand } from './commands/export.ts';
import { healthCommand } from './commands/health.ts';
import { importCommand } from './commands/import.ts';
import { jobDropCommand } from './commands/job/drop.ts';
import { jobFailedCommand } from './commands/job/failed.ts';
import { jobListCommand } from './commands/job/list.ts';
import { jobReplayCommand } from './commands/job/replay.ts';
import { keyRegenerateCommand } from './commands/key/regenerate.ts';
import { keyShowCommand } from './commands/key/show.ts';
import { logHeadCommand } from './commands/log/head.ts';
import { logNewEpochCommand } from './commands/log/new-epoch.ts';
import { logTrimCommand } from './commands/log/trim.ts';
import { migrateCommand } from './commands/migrate.ts';
import { operatorTokenCommand } from './commands/operator/token.ts';
import { queueListCommand } from './commands/queue/list.ts';
import { realmCreateCommand } from './commands/realm/create.ts';
import { realmDeactivateCommand } from './commands/realm/deactivate.ts';
import { realmIsolateCommand } from './commands/realm/isolate.ts';
import { realmListCommand } from './commands/realm/list.ts';
import { realmMoveCommand } from './commands/realm/move.ts';
import { rebalanceCommand } from './commands/rebalance.ts';
import { retentionRestoreCommand } from './commands/retention/restore.ts';
import { searchRebuildCommand } from './commands/search/rebuild.ts';
import { serversCommand } from './commands/servers.ts';
import { userCreateCommand } from './commands/user/create.ts';
import { userPasswordCommand } from './commands/user/password.ts';
import { userGrantCommand, userRevokeCommand } from './commands/user/rights.ts';
import { userRoleCommand } from './commands/user/role.ts';
import { userUnlinkCommand } from './commands/user/unlink.ts';
import { verifyCommand } from './commands/verify.ts';
import { webhookDropCommand } from './commands/webhook/drop.ts';
import { webhookFailuresCommand } from './commands/webhook/failures.ts';
import { webhookReplayCommand } from './commands/webhook/replay.ts';
import type { Context } from './context.ts';
import { describeFailure, failureText } from './describe-failure.ts';

const realm = buildRouteMap({
  routes: {
    create: realmCreateCommand,
    list: realmListCommand,
    deactivate: realmDeactivateCommand,
    move: realmMoveCommand,
    isolate: realmIsolateCommand,
  },
  docs: { brief: 'Organizations: create, list, deactivate, move and isolate them' },
});

const user = buildRouteMap({
  routes: {
    create: userCreateCommand,
    role: userRoleCommand,
    password: userPasswordCommand,
    grant: userGrantCommand,
    revoke: userRevokeCommand,
    unlink: userUnlinkCommand,
  },
  docs: { brief: 'Accounts: create them, change role, password and rights' },
});

const bot = buildRouteMap({
  routes: { create: botCreateCommand },
  docs: { brief: 'Bots: create them' },
});

const key = buildRouteMap({
  routes: { show: keyShowCommand, regenerate: keyRegenerateCommand },
  docs: { brief: 'API keys: show and replace them' },
});

const queue = buildRouteMap({
  routes: { list: queueListCommand },
  docs: { brief: 'Event queues: who polls at which node, and how far behind' },
});

const log = buildRouteMap({
  routes: { head: logHeadCommand, trim: logTrimCommand, newEpoch: logNewEpochCommand },
  docs: { brief: 'Logs: where they end, how much is kept, and new epochs' },
});

const job = buildRouteMap({
  routes: {
    list: jobListCommand,
    failed: jobFailedCommand,
    replay: jobReplayCommand,
    drop: jobDropCommand,
  },
  docs: { brief: 'Jobs of the workers: count them, list those that failed, replay or drop them' },
});

const webhook = buildRouteMap({
  routes: {
    failures: webhookFailuresCommand,
    replay: webhookReplayCommand,
    drop: webhookDropCommand,
  },
  docs: { brief: 'Outgoing webhooks: list messages that could not be delivered, replay or drop them' },
});

const operator = buildRouteMap({
  routes: { token: operatorTokenCommand },
  docs: { brief: 'Operators: create a token for their page' },
});

const retention = buildRouteMap({
  routes: { restore: retentionRestoreCommand },
  docs: { brief: 'Retention: restore deleted messages' },
});

const search = buildRouteMap({
  routes: { rebuild: searchRebuildCommand },
  docs: { brief: 'Search: fill the search engine anew' },
});

const root = buildRouteMap({
  routes: {
    realm,
    user,
    bot,
    key,
    queue,
    log,
    job,
    webhook,
    operator,
    retention,
    search,
    export: exportCommand,
    download: downloadCommand,
    import: importCommand,
    migrate: migrateCommand,
    servers: serversCommand,
    rebalance: rebalanceCommand,
    health: healthCommand,
    verify: verifyCommand,
    completion: completionCommand,
  },
  docs: {
    brief: 'Operate a deployment of Parley: organizations, accounts, queues, jobs and logs',
    fullDescription: `Operates a deployment of Parley: organizations, accounts, queues, jobs and logs.

It reads DATABASE_URL, REDIS_URL, PARLEY_SECRET and the other settings of the nodes. Beside a running \`npm start\` it finds them by itself.

Exit codes: 0 done, 1 refused or failed, 2 wrong command line.`,
  },
});

type Routes = { getAllEntries: typeof root.getAllEntries };

/** Returns every command as it is typed, and what it does, in the order of the help. */
export function listCommands(routes: Routes = root, before = 'parley'): { name: string; brief: string }[] {
  return routes.getAllEntries().flatMap(({ name, target }) => {
    const typed = `${before} ${name.original}`;
    return 'getAllEntries' in target ? listCommands(target, typed) : [{ name: typed, brief: target.brief }];
  });
}

/** Creates `parley` with all its commands. With `isJson`, failures are JSON, too. */
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

import { deriveApiKey } from '@parley/http';
import type { Logger, Secrets } from '@parley/kit';
import type { Audiences } from '@parley/log';
import { eventFamilies } from '@parley/protocol';

import { type EntryParser, createEntryParser } from '../core/ready-entry.ts';

/** Reads entries by the event families of the contract. Unreadable ones are logged. */
export function createLogEntryParser({
  logger,
  secrets,
  audiences,
}: {
  logger: Logger;
  secrets: Secrets;
  audiences: Pick<Audiences, 'members'>;
}): EntryParser {
  return createEntryParser({
    families: eventFamilies,
    onUnreadable: ({ seq, event: { type } }, reason) =>
      logger.error({ seq, type, reason }, 'a log entry cannot be read'),
    values: {
      apiKeyOf: ({ id, keyGeneration }) => deriveApiKey(secrets[0], id, keyGeneration),
      membersOf: (audienceId) => audiences.members(audienceId),
    },
  });
}

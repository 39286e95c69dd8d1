import { deriveApiKey } from '@parley/http';
import type { Logger, Secrets } from '@parley/kit';
import { eventFamilies } from '@parley/protocol';

import { type EntryParser, createEntryParser } from '../core/ready-entry.ts';

/** Reads entries by the event families of the contract. Unreadable ones are logged. */
export function createLogEntryParser({ logger, secrets }: { logger: Logger; secrets: Secrets }): EntryParser {
  return createEntryParser({
    families: eventFamilies,
    onUnreadable: ({ seq, event: { type } }, reason) =>
      logger.error({ seq, type, reason }, 'a log entry cannot be read'),
    secrets: { apiKeyOf: ({ id, keyGeneration }) => deriveApiKey(secrets[0], id, keyGeneration) },
  });
}

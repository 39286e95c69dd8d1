import { acceptedApiKeys } from '@parley/http';
import type { Secrets } from '@parley/kit';
import type { Credentials } from '@parley/log';

import type { QueueCredentials } from './queue-credentials.ts';

/** Finds the credentials of queues' owners, and knows which of them have been revoked since. */
export interface CredentialsStore {
  /** Reads from Postgres. Lookups at the same moment share one query. */
  find(userId: number): Promise<QueueCredentials>;
  isCurrent(credentials: QueueCredentials, userId: number): boolean;
  /** Everything found for these users so far stops being current. */
  revoke(userIds: readonly number[]): void;
}

const nobody = {
  email: '',
  apiKeys: [],
  isGuest: false,
  realm: '',
  sessions: new Map<string, number>(),
  refusal: null,
};

export function createCredentialsStore({ read, secrets }: CredentialsStoreDeps): CredentialsStore {
  const revocations = new Map<number, number>();
  let batch: { userIds: Set<number>; rows: Promise<Map<number, Credentials>> } | null = null;

  function findInBatch(userId: number): Promise<Map<number, Credentials>> {
    if (!batch) {
      const userIds = new Set<number>();
      const rows = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        batch = null;
        return read([...userIds]);
      });
      batch = { userIds, rows };
    }
    batch.userIds.add(userId);
    return batch.rows;
  }

  return {
    async find(userId) {
      // Counted before the query: a revocation that overtakes the result makes it void.
      const revocationCount = revocations.get(userId) ?? 0;
      const row = (await findInBatch(userId)).get(userId);
      if (!row) return { ...nobody, revocationCount };
      return {
        email: row.email.toLowerCase(),
        apiKeys: acceptedApiKeys(secrets, userId, row.generation),
        isGuest: row.isGuest,
        realm: row.realm,
        sessions: row.sessions,
        refusal: row.refusal,
        revocationCount,
      };
    },
    isCurrent: (credentials, userId) => credentials.revocationCount === (revocations.get(userId) ?? 0),
    revoke(userIds) {
      for (const userId of userIds) revocations.set(userId, (revocations.get(userId) ?? 0) + 1);
    },
  };
}

interface CredentialsStoreDeps {
  /** Reads from Postgres. Users who do not exist are missing from the result. */
  readonly read: (userIds: number[]) => Promise<Map<number, Credentials>>;
  secrets: Secrets;
}

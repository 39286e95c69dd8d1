import { notReady } from '@parley/protocol';

import type { ErrorHandler } from './error-handler.ts';
import type { Handle } from './events-server.ts';
import { sendJson } from './send-json.ts';

interface ReadyDeps {
  /** Whether the database has the schema of this version. */
  isMigrated(): Promise<boolean>;
  isDraining(): boolean;
  onError: ErrorHandler;
}

/** GET /ready: whether the node can be sent requests. */
export const createReady =
  ({ isMigrated, isDraining, onError }: ReadyDeps): Handle =>
  (response) => {
    void isMigrated().then((migrated) => {
      if (migrated && !isDraining()) sendJson(response, 200, { result: 'success', msg: '' });
      else onError(response, notReady());
    });
  };

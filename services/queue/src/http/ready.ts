import { notReady } from '@parley/protocol';

import type { ErrorHandler } from './error-handler.ts';
import type { Handle } from './route.ts';
import { sendJson } from './send-json.ts';

interface ReadyDeps {
  /** Whether the database has the schema of this version. */
  readonly isMigrated: () => Promise<boolean>;
  readonly isDraining: () => boolean;
  onError: ErrorHandler;
}

/** Serves GET /ready, which says whether the node can be sent requests. */
export const createReady =
  ({ isMigrated, isDraining, onError }: ReadyDeps): Handle =>
  (exchange) => {
    void isMigrated().then((migrated) => {
      if (migrated && !isDraining()) sendJson(exchange, 200, { result: 'success', msg: '' });
      else onError(exchange, notReady());
    });
  };

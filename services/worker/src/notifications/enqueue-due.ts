import type { notifications } from '@parley/model';
import type { JobQueues } from '@parley/redis';

/** Enqueues jobs for notifications, each named by one of its rows. */
export function enqueueDue(queues: JobQueues, due: readonly notifications.DueNotification[]): void {
  for (const { id, realmId, kind } of due) {
    queues.enqueue({ name: kind === 'mail' ? 'send-missed-messages' : 'send-push', id, realmId });
  }
}

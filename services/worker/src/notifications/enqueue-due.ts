import type { NotificationKind } from '@parley/protocol';
import type { JobQueues } from '@parley/redis';

/** Enqueues jobs for notifications, each named by one of its rows. */
export function enqueueDue(queues: JobQueues, due: readonly { id: number; kind: NotificationKind }[]): void {
  for (const { id, kind } of due) {
    queues.enqueue({ name: kind === 'mail' ? 'send-missed-messages' : 'send-push', id });
  }
}

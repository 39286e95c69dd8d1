import type { Database } from '@parley/db';
import type { Clock } from '@parley/kit';
import * as model from '@parley/model';
import { gauge } from '@parley/telemetry';

const dueWork = gauge(
  'parley_due_work',
  'Rows in Postgres that are due, and those of them that are late; at most 1000 of a kind are counted',
  ['kind', 'state'],
);
const deadLetters = gauge(
  'parley_webhook_dead_letters',
  'Messages that services of bots did not accept and that are not retried any more',
);

/** Measures what workers have to do, until disposed of. */
export function measureDueWork(db: Database, clock: Clock): Disposable {
  const due = dueWork.watch(async (set) => {
    for (const { kind, due, late } of await model.dueWork.listDueWork(db, new Date(clock.nowMs()))) {
      set(due, { kind, state: 'due' });
      set(late, { kind, state: 'late' });
    }
  });
  const dead = deadLetters.watch(async (set) => set(await model.webhookDeliveries.countWebhookFailures(db)));
  return {
    [Symbol.dispose]() {
      due[Symbol.dispose]();
      dead[Symbol.dispose]();
    },
  };
}

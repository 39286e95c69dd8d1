import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { ActButton } from '../../base/forms/act-button.tsx';
import { showToast, showError } from '../../base/toasts/toasts.tsx';
import { nameOfUser } from '../../data/people/names.ts';
import { momentOf } from '../../data/places/times.ts';
import { connection } from '../../data/session/session.ts';
import { webhookText } from '../../strings/administration.ts';
import { commonText } from '../../strings/common.ts';

interface Failure {
  id: number;
  bot_id: number;
  message_id: number;
  trigger: string;
  attempts: number;
  failed_at: number;
  failure: string;
}

interface Page {
  failures: Failure[];
  found_oldest: boolean;
}

/** Messages that could not be passed on to the services of bots, newest first. */
export function WebhookFailures() {
  const failures = useSignal<readonly Failure[] | null>(null);
  const hasMore = useSignal(false);

  async function load(before?: number): Promise<void> {
    const page = await connection().get<Page>('/realm/webhook_failures', { before, num: 100 });
    failures.value = [...(before === undefined ? [] : (failures.peek() ?? [])), ...page.failures];
    hasMore.value = !page.found_oldest;
  }
  useEffect(() => void load().catch(showError), []);

  const forget = (id: number) =>
    void (failures.value = failures.peek()?.filter((failure) => failure.id !== id) ?? null);
  return (
    <>
      <ActButton act={() => load()}>{webhookText.refresh}</ActButton>
      {failures.value === null && <p class="dim">{commonText.loading}</p>}
      {failures.value?.length === 0 && <p class="dim">{webhookText.none}</p>}
      <ul class="plain-list">
        {failures.value?.map(({ id, bot_id, message_id, attempts, failed_at, failure }) => (
          <li key={id}>
            {webhookText.bot(nameOfUser(bot_id))}{' '}
            <a href={`#narrow/id/${message_id}`}>{webhookText.message(message_id)}</a>{' '}
            {webhookText.failure(attempts, momentOf(failed_at), failure)}{' '}
            <span class="row-actions">
              <ActButton
                act={async () => {
                  await connection().post(`/realm/webhook_failures/${id}/replay`);
                  forget(id);
                  showToast(webhookText.retried);
                }}
              >
                {webhookText.retry}
              </ActButton>
              <ActButton
                act={async () => {
                  await connection().delete(`/realm/webhook_failures/${id}`);
                  forget(id);
                }}
              >
                {webhookText.dismiss}
              </ActButton>
            </span>
          </li>
        ))}
      </ul>
      {hasMore.value && (
        <ActButton act={() => load(failures.peek()?.at(-1)?.id)}>{webhookText.older}</ActButton>
      )}
    </>
  );
}

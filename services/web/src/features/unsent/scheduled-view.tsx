import { type State, deleteReminder, deleteScheduled, reschedule } from '@parley/client';
import { useSignal } from '@preact/signals';

import { Empty } from '../../base/states/empty.tsx';
import { showError } from '../../base/toasts/toasts.tsx';
import { showDialog } from '../../data/actions/shown-dialog.ts';
import { attempt } from '../../data/actions/verbs.ts';
import { slice, peek } from '../../data/live/state.ts';
import { momentOf } from '../../data/places/times.ts';
import { connection } from '../../data/session/session.ts';
import { type Target, nameOf } from '../../data/writing/target.ts';
import { commonText } from '../../strings/common.ts';
import { scheduledText } from '../../strings/drafts.ts';
import { viewText } from '../../strings/views.ts';
import { MarkdownField } from '../compose/index.ts';
import { Html } from '../content/index.ts';

import './scheduled.css';
import { WriteButton } from './write-button.tsx';

type Scheduled = State['scheduled'] extends Map<number, infer One> ? One : never;
type Reminder = State['reminders'] extends Map<number, infer One> ? One : never;

const targetOf = (message: Scheduled): Target =>
  message.type === 'stream'
    ? { kind: 'channel', channelId: message.to, topic: message.topic }
    : { kind: 'direct', userIds: message.to };

/** Lists the scheduled messages and the reminders of the person. */
export function ScheduledView() {
  const byTime = <Item extends { scheduled_delivery_timestamp: number }>(items: Iterable<Item>) =>
    [...items].sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp);
  const scheduled = byTime(slice('scheduled').values());
  const reminders = byTime(slice('reminders').values());
  return (
    <div class="plain-page">
      <h1>{viewText.scheduled}</h1>
      {scheduled.length === 0 && (
        <Empty drawing="clock" text={scheduledText.none}>
          <WriteButton />
        </Empty>
      )}
      <ul class="waiting">
        {scheduled.map((message) => (
          <ScheduledRow key={message.scheduled_message_id} message={message} />
        ))}
      </ul>
      <h2>{scheduledText.reminders}</h2>
      {reminders.length === 0 && <p class="dim">{scheduledText.noReminders}</p>}
      <ul class="waiting">
        {reminders.map((reminder) => (
          <ReminderRow key={reminder.reminder_id} reminder={reminder} />
        ))}
      </ul>
    </div>
  );
}

function ScheduledRow({ message }: { message: Scheduled }) {
  const { scheduled_message_id: id, content, rendered_content, failed } = message;
  const edited = useSignal<string | null>(null);
  const target = targetOf(message);
  for (const name of ['subscriptions', 'channels', 'users'] as const) slice(name);

  async function save(): Promise<void> {
    try {
      await reschedule(connection(), id, { content: edited.peek() ?? content });
      edited.value = null;
    } catch (error) {
      showError(error);
    }
  }

  return (
    <li>
      <p>
        <strong>{nameOf(target, peek())}</strong>{' '}
        <span class="dim">{momentOf(message.scheduled_delivery_timestamp)}</span>
      </p>
      {failed && <p class="refusal-text">{scheduledText.failed}</p>}
      {edited.value === null ? (
        <Html class="rendered" html={rendered_content} />
      ) : (
        <MarkdownField
          label={scheduledText.field}
          value={edited.value}
          channelId={target.kind === 'channel' ? target.channelId : null}
          onText={(text) => (edited.value = text)}
          onSend={() => void save()}
        />
      )}
      <p class="waiting-actions">
        {edited.value === null ? (
          <button type="button" onClick={() => (edited.value = content)}>
            {commonText.edit}
          </button>
        ) : (
          <>
            <button type="button" class="primary" onClick={() => void save()}>
              {commonText.save}
            </button>
            <button type="button" onClick={() => (edited.value = null)}>
              {commonText.cancel}
            </button>
          </>
        )}
        <button
          type="button"
          onClick={() =>
            showDialog({
              kind: 'time',
              title: scheduledText.rescheduleTitle,
              hasNote: false,
              onPick: async (at) => await reschedule(connection(), id, { at }),
            })
          }
        >
          {scheduledText.reschedule}
        </button>
        <button type="button" onClick={() => attempt(deleteScheduled(connection(), id))}>
          {commonText.delete}
        </button>
      </p>
    </li>
  );
}

const ReminderRow = ({ reminder }: { reminder: Reminder }) => (
  <li>
    <p class="dim">{momentOf(reminder.scheduled_delivery_timestamp)}</p>
    <Html class="rendered" html={reminder.rendered_content} />
    <p class="waiting-actions">
      <button type="button" onClick={() => attempt(deleteReminder(connection(), reminder.reminder_id))}>
        {commonText.delete}
      </button>
    </p>
  </li>
);

import type { JsonTables } from '../json-tables.ts';
import { type Json } from '../json.ts';
import type { Directory } from './directory.ts';
import { countOf, firstTime, idOf, isTrue, textOf, timeOf } from './values.ts';

const deliveryTypes = { message: 1, reminder: 2 } as const;

/** Yields the rows of what has not been sent yet, with its sender. */
async function* unsent(
  tables: JsonTables,
  { accounts }: Directory,
  type: number,
): AsyncGenerator<{ row: Json; user: number }> {
  for await (const { rows } of tables.rows('zerver_scheduledmessage')) {
    for (const row of rows) {
      const user = idOf(row, 'sender');
      const isOfType = (countOf(row, 'delivery_type') || deliveryTypes.message) === type;
      if (isOfType && !isTrue(row, 'delivered') && user !== undefined && accounts.has(user))
        yield { row, user };
    }
  }
}

interface ScheduledOptions {
  tables: JsonTables;
  directory: Directory;
  clients: ReadonlyMap<number, string>;
  readonly withUploads: (text: string) => string;
}

export async function* scheduledRows({
  tables,
  directory,
  clients,
  withUploads,
}: ScheduledOptions): AsyncGenerator<object> {
  for await (const { row, user } of unsent(tables, directory, deliveryTypes.message)) {
    const to = directory.recipients.get(idOf(row, 'recipient') ?? 0);
    if (!to) continue;
    const people = to.type === 'group' ? to.people.filter((one) => one !== user) : [to.id];
    const isChannel = to.type === 'channel';
    const why = textOf(row, 'failure_message');
    yield {
      id: idOf(row, 'id'),
      user_id: user,
      type: isChannel ? 'stream' : 'private',
      recipients: isChannel ? [to.id] : people.toSorted((a, b) => a - b),
      topic: isChannel ? textOf(row, 'subject') : '',
      content: withUploads(textOf(row, 'content')),
      rendered_content: '',
      client: clients.get(idOf(row, 'sending_client') ?? 0) ?? 'Zulip',
      read_by_sender: isTrue(row, 'read_by_sender', true),
      due_at: timeOf(row, 'scheduled_timestamp') ?? firstTime,
      failure_message: isTrue(row, 'failed') ? why || 'It could not be sent.' : null,
      sent_at: null,
    };
  }
}

export async function* reminderRows({
  tables,
  directory,
  withUploads,
}: ScheduledOptions): AsyncGenerator<object> {
  for await (const { row, user } of unsent(tables, directory, deliveryTypes.reminder)) {
    yield {
      id: idOf(row, 'id'),
      user_id: user,
      message_id: countOf(row, 'reminder_target_message_id'),
      note: textOf(row, 'reminder_note'),
      content: withUploads(textOf(row, 'content')),
      rendered_content: '',
      due_at: timeOf(row, 'scheduled_timestamp') ?? firstTime,
    };
  }
}

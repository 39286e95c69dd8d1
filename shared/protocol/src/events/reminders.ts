import { z } from 'zod';

import { Reminder } from '../objects/reminder.ts';
import { eventFamily } from './family.ts';

/** A user's reminders changed. Sent to that user's own clients. */
export const reminders = eventFamily('reminders', {
  add: { reminders: z.array(Reminder) },
  remove: { reminder_id: z.int() },
});

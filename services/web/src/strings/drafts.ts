import { catalogue } from './catalogue.ts';

/** Drafts. */
export const draftText = catalogue('draft', {
  toScheduled: 'Go to scheduled messages',
  none: 'You have no drafts.',
  continue: 'Continue writing',
});

/** Scheduled messages and reminders. */
export const scheduledText = catalogue('scheduled', {
  none: 'You have no scheduled messages.',
  reminders: 'Reminders',
  noReminders: 'You have no reminders.',
  failed: 'This message couldn’t be sent. Choose another time or delete it.',
  field: 'Text of scheduled message',
  reschedule: 'Reschedule…',
  rescheduleTitle: 'Reschedule message',
});

/** The dialog in which a time is chosen. */
export const timeText = catalogue('time', {
  note: 'Note',
  custom: 'Custom time',
  choose: 'Schedule',
  inAnHour: 'In one hour',
  inThreeHours: 'In three hours',
  afternoon: 'This afternoon',
  tomorrow: 'Tomorrow morning',
  monday: 'Monday morning',
});

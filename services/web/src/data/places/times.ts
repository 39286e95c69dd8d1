import { locale } from '../../strings/language.ts';
import { messageText } from '../../strings/messages.ts';
import { userSetting } from '../live/state.ts';

/** The hour and minute of a time, as the reader likes to see them. `seconds`: since the epoch. */
export const timeOf = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleTimeString(locale(), {
    hour: 'numeric',
    minute: '2-digit',
    hour12: userSetting('twenty_four_hour_time') !== true,
  });

/** A day by its name, such as "Today" or "Tue, 6 May". */
export function dayOf(seconds: number, now = new Date()): string {
  const day = new Date(seconds * 1000);
  if (day.toDateString() === now.toDateString()) return messageText.today;
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (day.toDateString() === yesterday.toDateString()) return messageText.yesterday;
  return day.toLocaleDateString(locale(), {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    ...(day.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
  });
}

/** Day and time. */
export const momentOf = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' });

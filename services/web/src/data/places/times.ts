import { locale } from '../../strings/language.ts';
import { messageText } from '../../strings/messages.ts';
import { userSetting } from '../live/state.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Writes a time in the reader's language. Making a format takes much longer than using it, so each is kept. */
function write(time: Date, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify([locale(), options]);
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.DateTimeFormat(locale(), options)));
  return format.format(time);
}

/** The hour and minute of a time, as the reader likes to see them. `seconds`: since the epoch. */
export const timeOf = (seconds: number): string =>
  write(new Date(seconds * 1000), {
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
  return write(day, {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    ...(day.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
  });
}

/** Day and time. */
export const momentOf = (seconds: number): string =>
  write(new Date(seconds * 1000), { dateStyle: 'medium', timeStyle: 'short' });

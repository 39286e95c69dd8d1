import { language, locale } from '../../strings/language.ts';
import { messageText } from '../../strings/messages.ts';
import { userSetting } from '../live/state.ts';

interface Form {
  format: Intl.DateTimeFormat;
  /** The minute that was written last, since the epoch, and how. */
  minute: number;
  text: string;
}

const forms = new Map<string, Form>();

/**
 * Writes a time in the reader's language, to the minute. Making a format takes much longer than using it, so each is kept; and
 * so is what it wrote last, because many messages are of one minute.
 */
function write(seconds: number, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify([language().tag, options]);
  let form = forms.get(key);
  if (!form) {
    form = { format: new Intl.DateTimeFormat(locale(), options), minute: Number.NaN, text: '' };
    forms.set(key, form);
  }
  const minute = Math.floor(seconds / 60);
  if (form.minute !== minute) Object.assign(form, { minute, text: form.format.format(minute * 60_000) });
  return form.text;
}

/** The hour and minute of a time, as the reader likes to see them. `seconds`: since the epoch. */
export const timeOf = (seconds: number): string =>
  write(seconds, {
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
  return write(seconds, {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    ...(day.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
  });
}

/** Day and time. */
export const momentOf = (seconds: number): string =>
  write(seconds, { dateStyle: 'medium', timeStyle: 'short' });

import { locale } from '../../strings/language.ts';
/** Returns the local time in a time zone; empty for an unknown zone. */
export function localTime(now: Date, timeZone: string): string {
  try {
    return now.toLocaleTimeString(locale(), {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      weekday: 'short',
    });
  } catch {
    return '';
  }
}

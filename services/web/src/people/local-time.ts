/** What time it is where somebody is; empty for a zone that nobody knows. */
export function localTime(now: Date, timeZone: string): string {
  try {
    return now.toLocaleTimeString([], { timeZone, hour: '2-digit', minute: '2-digit', weekday: 'short' });
  } catch {
    return '';
  }
}

import { z } from 'zod';

function isTimeZone(name: string): boolean {
  // Offsets such as +01:00 are no time zones.
  if (!/^[A-Z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** An IANA time zone identifier; empty if the user has not chosen one. */
export const TimeZone = z
  .string()
  .max(40)
  .refine((name) => name === '' || isTimeZone(name), 'is not a known time zone');

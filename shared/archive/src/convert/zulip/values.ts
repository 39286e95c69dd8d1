import type { Json } from '../json.ts';
import { cleanText, isTime, timeText } from '../texts.ts';

/** Returns the id in a column; undefined where there is none. */
export function idOf(row: Json, ...columns: readonly string[]): number | undefined {
  for (const column of columns) {
    const value = row[column];
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  }
  return undefined;
}

export const textOf = (row: Json, column: string): string => {
  const value = row[column];
  return typeof value === 'string' ? cleanText(value) : '';
};

export const isTrue = (row: Json, column: string, otherwise = false): boolean => {
  const value = row[column];
  return typeof value === 'boolean' ? value : otherwise;
};

export const countOf = (row: Json, column: string): number => {
  const value = row[column];
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0;
};

/** Returns a time in seconds as one in millionths of a second; undefined of what is none. */
export function microsOf(seconds: unknown): number | undefined {
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return undefined;
  const whole = Math.floor(seconds);
  const micros = whole * 1_000_000 + Math.round((seconds - whole) * 1_000_000);
  return isTime(micros) ? micros : undefined;
}

/** Returns the time in a column as Postgres writes it; null where there is none. */
export function timeOf(row: Json, column: string): string | null {
  const micros = microsOf(row[column]);
  return micros === undefined ? null : timeText(micros);
}

/** Before all times of an organization: what has none was made then. */
export const firstTime = timeText(Date.UTC(2012, 0) * 1000);

/** Returns the numbers of a list. */
export const numbersOf = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.filter((one): one is number => Number.isInteger(one)) : [];

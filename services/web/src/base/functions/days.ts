/** Returns when a day begins where the reader is; null for what is no day, such as 2026-02-30. */
export function startOfDay(day: string): Date | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (year === undefined) return null;
  const at = new Date(Number(year), Number(month) - 1, Number(date));
  return at.getMonth() === Number(month) - 1 && at.getDate() === Number(date) ? at : null;
}

/** Returns a day as fields of browsers and the operator `date` write it. */
export const dayText = (at: Date): string =>
  `${String(at.getFullYear()).padStart(4, '0')}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`;

/** A whole number with its thousands apart. */
export const grouped = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ' ');

const levels = ' ▁▂▃▄▅▆▇█';

/** A row of bars, one per value, the highest full. */
export function sparkline(values: readonly number[]): string {
  const top = Math.max(...values, 1);
  return values.map((value) => levels[Math.ceil((value / top) * (levels.length - 1))] ?? ' ').join('');
}

/** Two columns, the second right-aligned where it is a number. */
export function table(rows: readonly (readonly [string, string | number])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  const right = Math.max(...rows.map(([, value]) => String(value).length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${String(value).padStart(right)}`).join('\n');
}

/** A bar for each value, the longest as wide as a terminal's half. */
export function bars(rows: readonly (readonly [string, number])[]): string {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  const top = Math.max(1, ...rows.map(([, value]) => value));
  return rows
    .map(([name, value]) => `  ${name.padEnd(width)}  ${'█'.repeat(Math.ceil((value / top) * 40))} ${value}`)
    .join('\n');
}

const bars = ' ▁▂▃▄▅▆▇█';

/** A row of bars, one per value, the highest full. */
export function sparkline(values: readonly number[]): string {
  const top = Math.max(...values, 1);
  return values.map((value) => bars[Math.ceil((value / top) * (bars.length - 1))] ?? ' ').join('');
}

/** Two columns, the second right-aligned where it is a number. */
export function table(rows: readonly (readonly [string, string | number])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  const right = Math.max(...rows.map(([, value]) => String(value).length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${String(value).padStart(right)}`).join('\n');
}

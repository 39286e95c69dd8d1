type Cell = string | number | boolean | null | undefined;

/**
 * Lines of aligned columns with a heading each, as a person reads them. Control characters of the values are not shown.
 */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = [headings.map((heading) => heading.toUpperCase()), ...rows.map((row) => row.map(printable))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Returns a value on one line of a terminal, which it does not control. */
export const printable = (value: Cell): string =>
  String(value ?? '–').replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\uFFFD');

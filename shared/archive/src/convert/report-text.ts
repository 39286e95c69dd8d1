import { type ConversionReport, kinds } from './report.ts';

/** Returns the report of a conversion as a terminal shows it. */
export function reportText(report: ConversionReport): string {
  const rows = kinds.flatMap((kind) => {
    const { read, kept, changed, leftOut } = report.kinds[kind];
    return read === 0 ? [] : [[kind, read, kept, changed, leftOut].map(String)];
  });
  const table = [['', 'read', 'kept', 'changed', 'left out'], ...rows]
    .map(
      ([name = '', ...counts]) => `${name.padEnd(14)}${counts.map((count) => count.padStart(11)).join('')}`,
    )
    .join('\n');
  const reasons = (title: string, list: ConversionReport['changed']) =>
    list.length === 0
      ? []
      : [`${title}:`, ...list.map(({ kind, count, reason }) => `  ${count} ${kind}: ${reason}`)];
  const more = report.conflictsLeftOut > 0 ? [`  ${report.conflictsLeftOut} more conflicts`] : [];
  return [
    table,
    ...reasons('Changed', report.changed),
    ...reasons('Left out', report.leftOut),
    ...report.conflicts.map(({ text }) => `  ${text}`),
    ...more,
    ...report.notes.map(({ text }) => text),
  ].join('\n');
}

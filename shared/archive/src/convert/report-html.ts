import { escapeHtml } from '@parley/markdown';

import { type ConversionReport, kinds } from './report.ts';

const cells = (tag: 'th' | 'td', values: readonly (string | number)[]) =>
  `<tr>${values.map((value) => `<${tag}>${escapeHtml(String(value))}</${tag}>`).join('')}</tr>`;

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  `<table>${cells('th', head)}${rows.map((row) => cells('td', row)).join('')}</table>`;

const section = (title: string, content: string) => (content === '' ? '' : `<h2>${title}</h2>${content}`);

const list = (items: readonly string[]) =>
  items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;

const textsOf = (remarks: ConversionReport['notes']) => remarks.map(({ text }) => text);

const reasons = (rows: ConversionReport['changed']) =>
  rows.length === 0
    ? ''
    : table(
        ['What', 'Number', 'Why'],
        rows.map(({ kind, count, reason }) => [kind, count, reason]),
      );

/** Returns the report of a conversion as a page that needs nothing else. */
export function reportHtml(report: ConversionReport): string {
  const counted = kinds.map((kind) => {
    const { read, kept, changed, leftOut } = report.kinds[kind];
    return [kind, read, kept, changed, leftOut];
  });
  const more = report.conflictsLeftOut > 0 ? [`${report.conflictsLeftOut} more`] : [];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Import from ${escapeHtml(report.source)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse}th,td{text-align:start;padding:.2rem 1rem .2rem 0;border-bottom:1px solid #ccc}</style>
</head><body><h1>Import from ${escapeHtml(report.source)}</h1>
${table(['What', 'Read', 'Kept', 'Of them changed', 'Left out'], counted)}
${section('Notes', list(textsOf(report.notes)))}
${section('Conflicts', list([...textsOf(report.conflicts), ...more]))}
${section('Changed', reasons(report.changed))}
${section('Left out', reasons(report.leftOut))}
</body></html>
`;
}

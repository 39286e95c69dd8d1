import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { LoadReport } from '../run.ts';
import { drawPlots } from './draw-plots.ts';
import { type Plot, plotsOf } from './plots.ts';
import { processRows, timedHeadings, timedRows } from './text.ts';

const style = `
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1000px; padding: 0 1rem; color: #222; }
  h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
  table { border-collapse: collapse; } td, th { padding: .15rem .7rem; text-align: right; }
  td:first-child, th:first-child { text-align: left; } tr { border-bottom: 1px solid #ddd; }
  .good { color: #17702c; } .bad { color: #b3261e; }`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string | number) =>
  String(text).replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);

/** JSON that may stand in a script. */
const inScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

function tableOf(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const row = (cells: readonly (string | number)[], tag: string) =>
    `<tr>${cells.map((one) => `<${tag}>${escape(one)}</${tag}>`).join('')}</tr>`;
  return `<table>${row(headings, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>`;
}

/** The report as one page, with the library that draws its plots inside it. */
export async function page(report: LoadReport, wrong: readonly string[]): Promise<string> {
  const library = dirname(fileURLToPath(import.meta.resolve('uplot')));
  const read = (file: string) => readFile(join(library, file), 'utf8');
  const [script, css] = await Promise.all(['uPlot.iife.min.js', 'uPlot.min.css'].map(read));
  const plots: Plot[] = plotsOf(report);
  const processes = processRows(report).map(({ name, cpu, cpuMax, mib }) => [
    name,
    cpu,
    cpuMax,
    ...(mib ?? ['', '', '']),
  ]);
  const counts = (
    [
      'sent',
      'acknowledged',
      'heard',
      'lost',
      'repeated',
      'reordered',
      'leaked',
      'writesLost',
      'writesRepeated',
    ] as const
  ).map((name) => [name, report[name]] as const);
  const verdict =
    wrong.length === 0
      ? '<p class="good">Nothing failed, and every client heard exactly what the log says.</p>'
      : `<p class="bad">Not as it should be:</p><ul class="bad">${wrong.map((line) => `<li>${escape(line)}</li>`).join('')}</ul>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Load: ${escape(report.scenario)}</title>
<meta name="viewport" content="width=device-width">
<style>${css ?? ''}${style}</style></head><body>
<h1>${escape(report.scenario)}: ${escape(report.about)}</h1>
<p>${report.pollers} clients, ${report.organizations} × ${report.accounts} accounts, ${report.seconds} s${report.warmUpSeconds > 0 ? ` after ${report.warmUpSeconds} s to warm up` : ''}, on ${report.cores} cores
with everything on them (load average before: ${report.loadBefore.toFixed(1)}); nodes: ${report.nodes.api} api, ${report.nodes.queue} queue, ${report.nodes.worker} worker.</p>
${verdict}
<h2>How long it took, from the moment for which it was meant</h2>
${tableOf(['', ...timedHeadings], timedRows(report))}
<h2>What clients heard, against the log</h2>
${tableOf(['', 'number'], counts)}
<h2>What it took</h2>
${tableOf(['', 'cpu %', 'max %', 'MiB first', 'last', 'max'], processes)}
${plots.map(({ title }, index) => `<h2>${escape(title)}</h2><div id="plot${index}"></div>`).join('\n')}
<script>${script ?? ''}</script>
<script>(${drawPlots.toString()})(${inScript(plots)}, uPlot)</script>
</body></html>
`;
}

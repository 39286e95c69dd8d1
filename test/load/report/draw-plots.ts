import type { Plot } from './plots.ts';

interface Drawing {
  new (options: object, data: (number | null)[][], place: Element | null): unknown;
}

/** The browser's document, as far as it is used. */
declare const document: { getElementById(id: string): Element | null };
type Element = object;

/** Draws the plots of a report. It runs in the reader's browser, and knows nothing but its arguments. */
export function drawPlots(plots: readonly Plot[], uPlot: Drawing): void {
  const colours = [
    '#2563eb',
    '#dc2626',
    '#d97706',
    '#059669',
    '#7c3aed',
    '#0891b2',
    '#be185d',
    '#4d7c0f',
    '#475569',
  ];
  for (const [index, { seconds, lines }] of plots.entries()) {
    const options = {
      width: 960,
      height: 260,
      scales: { x: { time: false } },
      axes: [{ label: 'seconds' }, { size: 70 }],
      series: [
        { label: 's' },
        ...lines.map(({ label }, number) => ({
          label,
          stroke: colours[number % colours.length],
          width: 1.5,
          spanGaps: true,
        })),
      ],
    };
    const data = [[...seconds], ...lines.map(({ values }) => [...values])];
    // eslint-disable-next-line no-new -- it draws itself.
    new uPlot(options, data, document.getElementById(`plot${index}`));
  }
}

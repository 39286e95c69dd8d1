import type { LoadReport } from '../run.ts';

/** Lines over time. */
export interface Plot {
  title: string;
  seconds: number[];
  lines: { label: string; values: (number | null)[] }[];
}

/** What happened over time. Where nothing was timed in a second, its lines have a gap. */
export function plotsOf({ series, samples }: LoadReport): Plot[] {
  const seconds = series.map(({ second }) => second);
  const latencyPlot = (title: string, of: 'deliveries' | 'requests'): Plot => ({
    title,
    seconds,
    lines: (['p50', 'p99', 'max'] as const).map((label) => ({
      label,
      values: series.map((point) => (point[of].count > 0 ? point[of][label] : null)),
    })),
  });
  const ofProcesses = (title: string, of: 'mib' | 'cpu' | 'parked'): Plot => ({
    title,
    seconds: samples.map(({ second }) => second),
    lines: [...new Set(samples.flatMap((sample) => Object.keys(sample[of])))].map((label) => ({
      label,
      values: samples.map((sample) => sample[of][label] ?? null),
    })),
  });
  return [
    latencyPlot('From the moment for which a message was meant to whoever hears it, ms', 'deliveries'),
    latencyPlot('From the moment for which a request was meant to its answer, ms', 'requests'),
    {
      title: 'In each second',
      seconds,
      lines: [
        { label: 'deliveries', values: series.map(({ deliveries }) => deliveries.count) },
        { label: 'requests', values: series.map(({ requests }) => requests.count) },
        { label: 'failures', values: series.map(({ failures }) => failures) },
      ],
    },
    ofProcesses('Memory, MiB', 'mib'),
    ofProcesses('Processor time, % of one core', 'cpu'),
    ofProcesses('Polls that wait at each queue node', 'parked'),
  ];
}

import type { LoadReport } from '../run.ts';

/** The report as JSON for programs. */
export function onWire(report: LoadReport, wrong: readonly string[]): Record<string, unknown> {
  return {
    scenario: report.scenario,
    pollers: report.pollers,
    organizations: report.organizations,
    accounts: report.accounts,
    abandoned: report.abandoned,
    slow_readers: report.slowReaders,
    seconds: report.seconds,
    requests_per_second: report.rates,
    timed_ms: report.timed,
    failures: report.failures,
    deferred: report.deferred,
    sent: report.sent,
    acknowledged: report.acknowledged,
    heard: report.heard,
    lost: report.lost,
    repeated: report.repeated,
    reordered: report.reordered,
    leaked: report.leaked,
    writes_lost: report.writesLost,
    writes_repeated: report.writesRepeated,
    growth: report.growth,
    ...(report.attacks.length > 0 && { attacks: report.attacks }),
    series: report.series,
    samples: report.samples,
    parked: report.parked,
    memory_parked: report.parkedMemory,
    processors: report.cpu,
    stages_ms: report.stages,
    ...(report.atHub && { at_hub: report.atHub }),
    cores: report.cores,
    load_average_before: report.loadBefore,
    anomalies: wrong,
  };
}

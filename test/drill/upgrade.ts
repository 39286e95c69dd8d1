import { join } from 'node:path';

import { type Conclusion, startPostgres } from '@parley/infra';
import { pause } from '@parley/kit';

import { grouped, table } from '../support/picture.ts';
import { Clients, type ClientsOptions, type Seen } from './clients.ts';
import { type RowsCompared, compareMoved } from './compare-rows.ts';
import { type DeploymentOptions, withDeployment } from './deployment.ts';
import { countBehind, follow, handOver, oldMajor, prepareToPublish } from './next-server.ts';

/** What can be broken on purpose, to see that the upgrade sees it. */
export const breakableInUpgrade = ['sequences'] as const;

interface UpgradeOptions extends Omit<DeploymentOptions, 'major'>, ClientsOptions {
  queues: number;
  seconds: number;
}

interface UpgradeReport extends Seen {
  messages: number;
  /** The servers, in words. */
  from: string;
  to: string;
  /** How long the rows took to be copied, while people went on. */
  copyMs: number;
  /** From the last write that the old server took to the first that the new one acknowledged. */
  downtimeMs: number;
  sequencesBehind: number;
  rows: RowsCompared;
}

const versionOf = (source: string): string => /^PostgreSQL [\d.]+/.exec(source)?.[0] ?? source;

/** Moves a database to a new major version of Postgres by logical replication, while clients send and listen. */
export const upgradePostgres = (options: UpgradeOptions): Promise<UpgradeReport> =>
  withDeployment(
    { ...options, major: oldMajor, isMovable: true },
    async ({ postgres }, cluster, realm, links) => {
      const { dir, queues, seconds, broken, say } = options;
      if (!links) throw new Error('Nodes cannot be moved.');
      await prepareToPublish(postgres);
      await cluster.whenReady();
      await using next = await startPostgres({ dir: join(dir, 'next'), durable: true, say: () => {} });
      await using clients = new Clients(cluster, realm, options);
      say(`${queues} clients listen and send.`);
      await clients.begin(queues);
      await pause((seconds * 1000) / 2);

      const copyStartMs = Date.now();
      await follow(postgres, next, dir);
      const copyMs = Date.now() - copyStartMs;
      say(`The rows are copied, in ${(copyMs / 1000).toFixed(1)} s. The new server follows.`);
      await pause((seconds * 1000) / 2);

      const stoppedMs = Date.now();
      await handOver(postgres, next, broken !== 'sequences');
      await links.movePostgres(next.port ?? 0);
      const movedMs = Date.now();
      say('The nodes are at the new server. Clients go on …');
      await clients.goOn(movedMs);
      const seen = await clients.finish(next.url);

      say('Comparing every row …');
      return {
        ...seen,
        messages: options.messages,
        from: versionOf(postgres.source),
        to: versionOf(next.source),
        copyMs,
        downtimeMs: Math.min(...seen.acknowledgedMs.filter((ms) => ms >= movedMs)) - stoppedMs,
        sequencesBehind: await countBehind(postgres, next),
        rows: await compareMoved(postgres.url, next.url),
      };
    },
  );

/** Returns what an upgrade shows and should not, in words. */
function offencesOf({ verdict, outcomes, sends, uploads, rows, sequencesBehind, messages }: UpgradeReport) {
  const zeros = {
    silent: outcomes.silent,
    told: outcomes.told,
    'sends lost': sends.lost.length,
    'files lost': uploads.lost.length + uploads.damaged,
    repeated: verdict.repeated,
    reordered: verdict.reordered,
    'written twice': verdict.writesRepeated,
    'rows missing': rows.missing,
    'sequences behind': sequencesBehind,
  };
  return [
    ...Object.entries(zeros).flatMap(([what, count]) => (count > 0 ? [`${what}: ${count}`] : [])),
    ...(verdict.heard === 0 ? ['nothing was heard'] : []),
    ...(rows.rows < messages ? ['nothing was compared'] : []),
  ];
}

/** What was found, in one line. */
function summarize(report: UpgradeReport): string {
  const { from, to, messages, copyMs, downtimeMs, outcomes, sends, rows } = report;
  const wrong = offencesOf(report);
  return [
    `From ${from} to ${to.replace('PostgreSQL ', '')} with ${grouped(messages)} messages, copied in ${(copyMs / 1000).toFixed(1)} s`,
    `nobody could send for ${(downtimeMs / 1000).toFixed(1)} s`,
    `${sends.lost.length} of ${sends.acknowledged} sends gone`,
    `clients: ${outcomes.heard} heard all, ${outcomes.told} told, ${outcomes.silent} silent`,
    `${grouped(rows.rows)} rows${wrong.length > 0 ? `; NOT as it should be: ${wrong.join(', ')}` : ''}.`,
  ].join('; ');
}

/** A report as JSON has it. */
function onWire(report: UpgradeReport) {
  const { outcomes, sends, uploads, rows, verdict } = report;
  return {
    from: report.from,
    to: report.to,
    messages: report.messages,
    copy_ms: report.copyMs,
    downtime_ms: report.downtimeMs,
    sends_acknowledged: sends.acknowledged,
    sends_gone: sends.lost.length,
    slowest_answer_ms: verdict.slowestAnswerMs,
    uploads_acknowledged: uploads.acknowledged,
    uploads_gone: uploads.lost.length,
    clients_heard_all: outcomes.heard,
    clients_told: outcomes.told,
    clients_silent: outcomes.silent,
    events_heard: verdict.heard,
    tables_compared: rows.tables,
    rows_compared: rows.rows,
    rows_changed_since: rows.newer,
    rows_missing: rows.missing,
    sequences_behind: report.sequencesBehind,
    offences: offencesOf(report),
  };
}

/** A report for people. */
function describe(report: UpgradeReport): string {
  const entries = Object.entries(onWire(report)).flatMap(([name, value]): [string, string][] =>
    Array.isArray(value)
      ? []
      : [[name.replaceAll('_', ' '), typeof value === 'number' ? grouped(Math.round(value)) : value]],
  );
  const { verdict, rows } = report;
  const named = [...verdict.missing, ...rows.named.map((row) => `Missing: ${row}`)];
  return ['', table(entries), ...named.map((line) => `  ${line}`)].join('\n');
}

export const concludeUpgrade = (report: UpgradeReport): Conclusion => ({
  holds: offencesOf(report).length === 0,
  result: summarize(report),
  report: onWire(report),
  text: describe(report),
});

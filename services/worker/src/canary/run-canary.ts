import type { Engine } from '@parley/engine';
import { type Logger, type Secrets, every } from '@parley/kit';
import type * as model from '@parley/model';
import { histogram, secondsBuckets, tallies } from '@parley/telemetry';

import { ensureCanaryAccount } from './account.ts';
import { type CanaryClient, createCanaryClient } from './client.ts';
import { ProbeFailed, probe, steps } from './probe.ts';

const seconds = histogram(
  'parley_canary_seconds',
  'How long the canary took to register, to send, and to receive what it sent',
  secondsBuckets,
  ['step'],
);
const runs = tallies('parley_canary_runs_total', 'Runs of the canary, by the step that failed', 'failed', [
  'none',
  'prepare',
  ...steps,
]);

const limitMs = 15_000;

interface CanaryDeps {
  engine: Engine;
  site: model.realms.Site;
  secrets: Secrets;
  logger: Logger;
  /** The address through which clients come. */
  url: string;
  /** The name of its organization. */
  realm: string;
  everySeconds: number;
}

/** Sends itself a message through the public address, again and again, and measures it. */
export function runCanary(deps: CanaryDeps): AsyncDisposable {
  const { engine, site, secrets, logger, url, realm, everySeconds } = deps;
  let prepared: { client: CanaryClient; userId: number } | undefined;
  let underway = Promise.resolve();
  const ending = new AbortController();

  async function run(): Promise<void> {
    try {
      if (!prepared) {
        const account = await ensureCanaryAccount(engine, site, realm, secrets[0]);
        prepared = { client: createCanaryClient(url, account), userId: account.userId };
      }
      const timings = await probe(prepared.client, prepared.userId, limitMs, ending.signal);
      for (const step of steps) seconds.observe({ step }, timings[step]);
      runs.none.count += 1;
    } catch (error) {
      // What is given up says nothing about the service.
      if (ending.signal.aborted) return;
      runs[error instanceof ProbeFailed ? error.step : 'prepare'].count += 1;
      logger.warn({ err: error }, 'the canary failed');
      // Its account may be another one now.
      await prepared?.client[Symbol.asyncDispose]();
      prepared = undefined;
    }
  }

  const running = every(everySeconds * 1000, logger, () => (underway = run()));
  return {
    async [Symbol.asyncDispose]() {
      running[Symbol.dispose]();
      ending.abort();
      // It deletes its queue.
      await underway;
      await prepared?.client[Symbol.asyncDispose]();
    },
  };
}

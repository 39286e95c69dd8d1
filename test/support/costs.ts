import type { Reporter, TestModule } from 'vitest/node';

interface Cost {
  kind: string;
  path: string;
  tests: number;
  /** How long a worker was busy with the file, loading it included. */
  seconds: number;
  /** The processor time that the worker took for it. */
  processor: number;
}

/**
 * Prints what a run cost, as tables for `docs/testing.md`: worker seconds by kind of test, of those the seconds of a
 * processor, and the ten longest files.
 */
export class CostReporter implements Reporter {
  readonly #costs: Cost[] = [];

  onTestModuleEnd(file: TestModule): void {
    const all = file.diagnostic();
    const ms = all.environmentSetupDuration + all.prepareDuration + all.setupDuration;
    const path = file.relativeModuleId;
    const [room = '', folder = ''] = path.split('/');
    this.#costs.push({
      kind: room === 'test' ? `test/${folder}` : room,
      path,
      tests: [...file.children.allTests()].length,
      seconds: (ms + all.collectDuration + all.duration) / 1000,
      processor: file.meta().processorSeconds ?? 0,
    });
  }

  onTestRunEnd(): void {
    const kinds = [...new Set(this.#costs.map(({ kind }) => kind))].map((kind) =>
      sumOf(
        kind,
        this.#costs.filter((cost) => cost.kind === kind),
      ),
    );
    const longest = this.#costs.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10);
    const lines = [
      '\n| kind | files | tests | worker seconds | of the processor |\n| --- | --- | --- | --- | --- |',
      ...kinds
        .toSorted((one, other) => other.seconds - one.seconds)
        .map(
          ({ kind, files, tests, seconds, processor }) =>
            `| ${kind} | ${files} | ${tests} | ${Math.round(seconds)} | ${Math.round(processor)} |`,
        ),
      '\n| file | worker seconds | of the processor |\n| --- | --- | --- |',
      ...longest.map(
        ({ path, seconds, processor }) => `| ${path} | ${Math.round(seconds)} | ${Math.round(processor)} |`,
      ),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  }
}

const sumOf = (kind: string, costs: readonly Cost[]) => ({
  kind,
  files: costs.length,
  tests: costs.reduce((sum, { tests }) => sum + tests, 0),
  seconds: costs.reduce((sum, { seconds }) => sum + seconds, 0),
  processor: costs.reduce((sum, { processor }) => sum + processor, 0),
});

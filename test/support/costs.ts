import type { Reporter, TestModule } from 'vitest/node';

interface Cost {
  kind: string;
  path: string;
  tests: number;
  /** How long a worker was busy with the file, loading it included. */
  seconds: number;
}

/** Prints what a run cost, as tables for `docs/testing.md`: worker seconds by kind of test, and the ten longest files. */
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
      '\n| kind | files | tests | worker seconds |\n| --- | --- | --- | --- |',
      ...kinds
        .toSorted((one, other) => other.seconds - one.seconds)
        .map(
          ({ kind, files, tests, seconds }) => `| ${kind} | ${files} | ${tests} | ${Math.round(seconds)} |`,
        ),
      '\n| file | worker seconds |\n| --- | --- |',
      ...longest.map(({ path, seconds }) => `| ${path} | ${Math.round(seconds)} |`),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  }
}

const sumOf = (kind: string, costs: readonly Cost[]) => ({
  kind,
  files: costs.length,
  tests: costs.reduce((sum, { tests }) => sum + tests, 0),
  seconds: costs.reduce((sum, { seconds }) => sum + seconds, 0),
});

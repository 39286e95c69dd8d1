import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

import type { runArea } from './run-area.ts';
import { survivors } from './survivors.ts';

type Result = Awaited<ReturnType<typeof runArea>>[number];

/** One change to the product, and what became of it. */
export interface Mutant {
  file: string;
  line: number;
  /** The code and what it became, each in one line. */
  code: string;
  becomes: string;
  isNoticed: boolean;
  /** Why nobody has to notice it; null if nothing says so. */
  reason: string | null;
}

/** The changes that say something about the tests: not those that could not be made. */
export function readMutants(results: readonly Result[]): Mutant[] {
  const testsMax = Math.max(0, ...results.map(({ testsCompleted = 0 }) => testsCompleted));
  return results.flatMap((result) => {
    const { status, static: isStatic, testsCompleted = 0 } = result;
    const hasSurvived = status === 'Survived' || status === 'NoCoverage';
    // A change that keeps files of tests from starting fails no test: theirs are missing, where all should have run.
    const isStopping = status === 'Survived' && isStatic === true && testsCompleted < testsMax;
    const isNoticed = status === 'Killed' || status === 'Timeout' || isStopping;
    if (!isNoticed && !hasSurvived) return [];
    const file = relative(process.cwd(), result.fileName);
    const code = oneLine(codeAt(result));
    const becomes = oneLine(result.replacement ?? '');
    const known = survivors[file]?.find((survivor) => survivor[0] === code && survivor[1] === becomes);
    return [{ file, line: result.location.start.line, code, becomes, isNoticed, reason: known?.[2] ?? null }];
  });
}

/** Lines and columns count from 1. */
function codeAt({ fileName, location: { start, end } }: Result): string {
  const lines = readFileSync(fileName, 'utf8').split('\n').slice(0, end.line);
  lines[lines.length - 1] = lines.at(-1)?.slice(0, end.column - 1) ?? '';
  return lines
    .slice(start.line - 1)
    .join('\n')
    .slice(start.column - 1);
}

/** The beginning is enough to know it by. */
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 80);

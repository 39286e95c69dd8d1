import { setFlagsFromString } from 'node:v8';

/**
 * How much the heap may grow, in percent, before what nobody needs any longer is looked for. Where there is much memory, V8
 * lets it grow to four times of what is needed.
 */
const growthPercent = 40;

/** Keeps the heap small while much is read and forgotten. */
export async function inSmallHeap<Result>(work: () => Promise<Result>): Promise<Result> {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
  try {
    return await work();
  } finally {
    setFlagsFromString('--heap-growing-percent=0');
  }
}

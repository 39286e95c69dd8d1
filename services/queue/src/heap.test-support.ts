import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
// Safe: the flag defines it.
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of the heap that are in use, without garbage. */
export function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

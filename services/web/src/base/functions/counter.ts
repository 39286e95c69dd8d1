/** Makes a function that returns another number each time, from 1. */
export function createCounter(): () => number {
  let last = 0;
  return () => (last += 1);
}

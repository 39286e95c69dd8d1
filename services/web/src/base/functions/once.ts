/** Makes a function that makes something when it is called first, and returns the same from then on. */
export function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** The same for what may fail: a failure is no result, and the next call tries again. */
export function onceDone<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let underway: Promise<Made> | null = null;
  return () =>
    (underway ??= make().catch((error: unknown) => {
      underway = null;
      throw error;
    }));
}

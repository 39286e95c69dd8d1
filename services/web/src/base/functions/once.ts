/** Makes a function that makes something when it is called first, and returns the same from then on. */
export function once<Made>(make: () => Made): () => Made {
  const made: Made[] = [];
  return () => {
    if (made.length === 0) made.push(make());
    return made[0] as Made;
  };
}

/** The same for what may fail: a failure is no result, and the next call tries again. */
export function onceDone<Made>(make: () => Promise<Made>): () => Promise<Made> {
  const underway = new Set<Promise<Made>>();
  return async () => {
    const [begun] = underway;
    if (begun) return await begun;
    const promise = make();
    underway.add(promise);
    try {
      return await promise;
    } catch (error) {
      underway.delete(promise);
      throw error;
    }
  };
}

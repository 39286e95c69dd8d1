/** Picks requests that are logged where there are too many to log all. */
export interface Sampler {
  isNext(): boolean;
}

/** Picks the first of every `oneIn` requests; none if it is 0. */
export function createSampler(oneIn: number): Sampler {
  let left = 1;
  return {
    isNext() {
      left -= 1;
      if (left > 0 || oneIn === 0) return false;
      left = oneIn;
      return true;
    },
  };
}

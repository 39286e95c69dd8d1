/**
 * One guarantee each, broken on purpose in the built code as it is loaded: the checker has to see it. Nothing in the
 * services knows of these.
 */
export interface Mutation {
  /** Path below the checkout. */
  file: string;
  from: string;
  to: string;
}

export const mutations: Record<string, Mutation> = {
  /** Lets entries pass a hole, as if the one before them had come. */
  holes: {
    file: 'shared/log/dist/sequencer.js',
    from: 'if (entry.seq > head + 1) {',
    to: 'if (false) {',
  },
};

import { probe } from '../endpoint/probe.ts';

/** What whoever runs a node asks it. */
export const probes = [
  probe({
    path: '/health',
    summary: 'Says that the node lives.',
    isWell: () => Promise.resolve(true),
  }),

  probe({
    path: '/ready',
    summary:
      'Says whether the node can serve: the database has its schema, and the node is not about to end.',
    isWell: async ({ isDraining, isMigrated }) => (await isMigrated()) && !isDraining,
  }),
];

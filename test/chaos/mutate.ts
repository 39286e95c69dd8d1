import { register } from 'node:module';

/** Loaded with --import into a node that is to run with a mutation. */
register('./mutate-hooks.js', import.meta.url);

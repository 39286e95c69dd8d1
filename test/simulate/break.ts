import { register } from 'node:module';

/** Loaded with --import into a process that simulates without a guard. */
register('./break-hooks.js', import.meta.url);

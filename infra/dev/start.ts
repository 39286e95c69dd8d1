import { run } from './run.ts';

await run({ api: 1, queue: 1, worker: 1 });

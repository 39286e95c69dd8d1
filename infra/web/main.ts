import { buildClient } from './build-client.ts';

// npm runs its scripts at the root of the checkout.
await buildClient({ root: process.cwd(), say: (line) => void process.stdout.write(`${line}\n`) });

export { telemetryConfig } from './config.ts';
export { type Tally, counter, gauge, histogram, secondsBuckets, tallies, tally } from './metrics.ts';
export { startOperationsServer } from './operations-server.ts';

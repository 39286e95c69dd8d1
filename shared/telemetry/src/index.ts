export { telemetryConfig } from './config.ts';
export {
  type Tally,
  counter,
  gauge,
  histogram,
  registry,
  secondsBuckets,
  tallies,
  tally,
} from './metrics.ts';
export { startTracing } from './start-tracing.ts';
export { currentTracing, traced } from './tracing.ts';
export { createNodeMeasure } from './node-values.ts';
export { startOperationsServer } from './operations-server.ts';

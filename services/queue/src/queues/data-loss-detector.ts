import type { Clock } from '@parley/kit';
import type { Registry } from '@parley/redis';

interface DataLossDeps {
  registry: Registry;
  clock: Clock;
  readonly onDataLoss: () => void;
}

/** Returns a function that calls `onDataLoss` when Redis has lost its data since the function was last called. */
export function createDataLossDetector({ registry, clock, onDataLoss }: DataLossDeps): () => Promise<void> {
  let lastMarkerMs: number | null = null;
  return async () => {
    const markerMs = await registry.dataLossMarker(clock.nowMs());
    if (lastMarkerMs !== null && markerMs !== lastMarkerMs) onDataLoss();
    lastMarkerMs = markerMs;
  };
}

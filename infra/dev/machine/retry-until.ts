import { connect } from 'node:net';

import { pause } from '@parley/kit';

/** Repeats an attempt until it succeeds or the signal aborts; then the last error is thrown. */
export async function retryUntil<Result>(
  attempt: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted) throw error;
    }
    await pause(20, signal);
  }
}

export async function connectOnce(port: number): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve());
    socket.once('error', reject);
  }).finally(() => socket.destroy());
}

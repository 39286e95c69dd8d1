/** Aborts on the first SIGTERM or SIGINT. What runs takes the signal as its order to drain. */
export function shutdownSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => controller.abort(name));
  return controller.signal;
}

/** Ends the process after `graceMs` if draining hangs; a drain that finishes first leaves it unused. */
export function exitAfter(graceMs: number): void {
  setTimeout(() => process.exit(1), graceMs).unref();
}

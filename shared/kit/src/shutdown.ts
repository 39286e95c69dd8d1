/** Returns a signal that aborts on the first SIGTERM or SIGINT. Whatever runs must then drain. */
export function shutdownSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => controller.abort(name));
  return controller.signal;
}

/** Ends the process after `graceMs` if draining hangs. It does not keep the process alive itself. */
export function exitAfter(graceMs: number): void {
  setTimeout(() => process.exit(1), graceMs).unref();
}

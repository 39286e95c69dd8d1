const checkMsMax = 1000;

/**
 * Calls `act` at moments that are drawn beforehand, on average so many a second, however long what it does takes. If the
 * process is late, it catches up, and each call is told the moment for which it was meant.
 */
export function openLoop(
  perSecond: number,
  startMs: number,
  nowMs: () => number,
  act: (intendedMs: number) => void,
): Disposable {
  if (perSecond <= 0) return { [Symbol.dispose]: () => undefined };
  // Arrivals that do not know of each other: the times between them are exponential.
  const gapMs = () => (-Math.log(1 - Math.random()) * 1000) / perSecond;
  let nextMs = startMs + gapMs();
  let timer: NodeJS.Timeout;
  const turn = () => {
    for (; nextMs <= nowMs(); nextMs += gapMs()) act(nextMs);
    timer = setTimeout(turn, Math.min(Math.max(nextMs - nowMs(), 0), checkMsMax));
  };
  turn();
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

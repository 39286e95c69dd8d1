/** Holds back a reply that refuses a caller who asks too much; lets any other pass. */
export type HoldRefusal = (reply: Response) => Promise<Response>;

/**
 * Whoever asks again as soon as it is refused asks a few times a second on each connection, not a thousand times, and
 * takes nothing from the others. Clients that wait as they are told notice nothing.
 */
export function createRefusalHold({
  wait,
  heldMax,
}: {
  wait(): Promise<void>;
  heldMax: number;
}): HoldRefusal {
  let held = 0;
  return async (reply) => {
    if (reply.status !== 429 || held >= heldMax) return reply;
    held += 1;
    await wait();
    held -= 1;
    return reply;
  };
}

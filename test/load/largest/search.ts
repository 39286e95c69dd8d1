/** The largest size that held is known well enough when the smallest that did not is so much larger. */
const nearEnough = 1.25;

/**
 * Looks for the largest size at which something holds: doubles the first size as long as it holds, and halves it as long as
 * it does not, and then tries between the two. Ends below `least` and at `most`.
 */
export async function searchLargest(
  { first, least, most }: { first: number; least: number; most: number },
  holdsAt: (size: number) => Promise<boolean>,
): Promise<void> {
  let [held, failed] = [0, Infinity];
  for (let size = Math.min(first, most); ;) {
    if (await holdsAt(size)) held = size;
    else failed = size;
    if (held >= most || (held === 0 && failed <= least) || failed <= held * nearEnough) return;
    if (held === 0) size = Math.max(least, Math.floor(failed / 2));
    else if (failed === Infinity) size = Math.min(most, held * 2);
    else size = Math.round(Math.sqrt(held * failed));
  }
}

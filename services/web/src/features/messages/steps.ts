/** The ids that the list shows, and whether they came to be by a change at the start alone. */
export interface Step {
  readonly ids: readonly number[];
  /** The position on the screen is kept from the end. */
  readonly isAtStart: boolean;
  /** Nothing of what was shown is there any more: the position on the screen means nothing. */
  readonly isReplaced: boolean;
}

/**
 * After a change at its start, a list keeps its position from the end until it rests: right for whoever scrolls up, and
 * wrong for whoever scrolls down. So nothing changes at the start while one scrolls down, and what is left out there
 * goes when one scrolls up.
 */
export type Deferral = 'nothing' | 'losses' | 'changes';

/**
 * The next step from what is shown to what there is. The list on the screen gets a change at the start and a change
 * elsewhere one after the other, so that it never loses the reader's position.
 *
 * @param deferral what does not happen at the start now
 */
export function nextStep(
  shown: readonly number[],
  ids: readonly number[],
  deferral: Deferral = 'nothing',
): Step {
  const [first, firstNow] = [shown[0], ids[0]];
  if (first === undefined || firstNow === undefined) {
    return { ids: copyOf(shown, ids), isAtStart: false, isReplaced: shown.length !== ids.length };
  }
  const common = firstCommon(shown, ids);
  if (!common) return { ids: [...ids], isAtStart: false, isReplaced: true };
  const [before, start] = common;
  const rest = ids.slice(start);
  if (!isSame(shown.slice(before), rest)) {
    return { ids: [...shown.slice(0, before), ...rest], isAtStart: false, isReplaced: false };
  }
  const isKept = deferral === 'changes' || (deferral === 'losses' && start === 0);
  return {
    ids: isKept ? shown : copyOf(shown, ids),
    isAtStart: !isKept && !isSame(shown, ids),
    isReplaced: false,
  };
}

/** Returns the positions of the first id that both lists have. Both ascend. */
function firstCommon(shown: readonly number[], ids: readonly number[]): [number, number] | null {
  let [at, now] = [0, 0];
  while (at < shown.length && now < ids.length) {
    const difference = (shown[at] ?? 0) - (ids[now] ?? 0);
    if (difference === 0) return [at, now];
    if (difference < 0) at += 1;
    else now += 1;
  }
  return null;
}

const isSame = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id, index) => id === b[index]);

/** The same array for the same ids. */
const copyOf = (shown: readonly number[], ids: readonly number[]) => (isSame(shown, ids) ? shown : [...ids]);

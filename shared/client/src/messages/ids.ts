/** The position of an id in a list that ascends, or where it would be. */
function positionOf(ids: readonly number[], id: number): number {
  // Nearly all that comes is newer than all there is.
  if (ids.length === 0 || id > (ids.at(-1) ?? 0)) return ids.length;
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const hasId = (ids: readonly number[], id: number): boolean => ids[positionOf(ids, id)] === id;

/** Returns false for an id that is there already. */
export function insertId(ids: number[], id: number): boolean {
  const position = positionOf(ids, id);
  if (ids[position] === id) return false;
  if (position === ids.length) ids.push(id);
  else ids.splice(position, 0, id);
  return true;
}

/** Returns false for an id that is not there. */
export function removeId(ids: number[], id: number): boolean {
  const position = positionOf(ids, id);
  if (ids[position] !== id) return false;
  ids.splice(position, 1);
  return true;
}

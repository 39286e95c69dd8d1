/** Where somebody was in a list: the first message in view, and how far its item's top is from that of the list. */
export interface ReadingPlace {
  id: number;
  /** In pixels, from -(its height) to 0. */
  top: number;
}

/** So many are kept; older ones are forgotten. */
const placesMax = 200;

/** Where the reader was in lists, by the entries of the browser's history. None at the end of a list. */
const places = new Map<string, ReadingPlace>();

export const placeAt = (entry: string): ReadingPlace | null => places.get(entry) ?? null;

export function keepPlace(entry: string, place: ReadingPlace | null): void {
  places.delete(entry);
  if (!place) return;
  places.set(entry, place);
  const [oldest] = places.keys();
  if (places.size > placesMax && oldest !== undefined) places.delete(oldest);
}

import { useHashLocation } from 'wouter-preact/use-hash-location';

/** The fragment of the address, without `#`; a component that reads it is rendered again when it changes. */
export function useFragment(): string {
  const [location] = useHashLocation();
  return location.replace(/^\//, '');
}

/** The fragment that the address has now: a component that reads it hears of another one a moment later. */
export const currentFragment = (): string => location.hash.replace(/^#?\/?/, '');

/** Shows another view. Links do the same: `<a href="#inbox">`. */
export function go(fragment: string): void {
  location.hash = fragment;
}

/** Puts another fragment in the place of this one, so that going back does not lead here. */
export function replaceFragment(fragment: string): void {
  history.replaceState(history.state, '', `#${fragment.replace(/^#/, '')}`);
  globalThis.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Shows a view again, in a new entry of the history that has the name of an earlier one: lists are where they were. */
export function goAgain(fragment: string, entry: string): void {
  history.pushState({ entry }, '', `#${fragment.replace(/^#/, '')}`);
  globalThis.dispatchEvent(new HashChangeEvent('hashchange'));
}

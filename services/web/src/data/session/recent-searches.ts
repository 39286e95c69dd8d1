/** What was searched for in this browser, by account: the newest first, as fragments of addresses. */
const prefix = 'parley-searches ';
/** So many are kept, none longer than this. */
const searchesMax = 8;
const lengthMax = 500;

const isList = (stored: unknown): stored is string[] =>
  Array.isArray(stored) && stored.every((one) => typeof one === 'string');

/** Returns what an account has searched for here. What is stored and is none is as if there were nothing. */
export function recentSearches(account: number): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(`${prefix}${account}`) ?? '[]');
    return isList(stored) ? stored.slice(0, searchesMax) : [];
  } catch {
    return [];
  }
}

/** Puts a search before the others. */
export function rememberSearch(account: number, fragment: string): void {
  if (fragment.length > lengthMax) return;
  const others = recentSearches(account).filter((one) => one !== fragment);
  try {
    localStorage.setItem(`${prefix}${account}`, JSON.stringify([fragment, ...others].slice(0, searchesMax)));
  } catch {
    // The store is full.
  }
}

/** Forgets what anybody has searched for here. */
export function forgetSearches(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // There is no store, and nothing in it.
  }
}

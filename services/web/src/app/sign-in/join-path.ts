/** The address of the page on which an invitation link of this site is accepted; null for any other link. */
export function joinPath(link: string, origin: string): string | null {
  if (!URL.canParse(link)) return null;
  const url = new URL(link);
  return url.origin === origin && /^\/join\/[\w.-]+\/?$/.test(url.pathname) ? url.pathname : null;
}

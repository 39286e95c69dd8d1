/** Shows on the icon of the installed application how much is unread. */
export function showAppBadge(count: number): void {
  const shown = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  // A browser in which it is not installed may refuse.
  shown?.catch(() => undefined);
}

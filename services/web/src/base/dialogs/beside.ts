const marginPx = 4;

/** Puts a popover below what opened it, or above where there is no room below; all of it stays on the page. */
export function placeBeside(popover: HTMLElement, opener: Element): void {
  const { bottom, top, right } = opener.getBoundingClientRect();
  const { offsetHeight, offsetWidth } = popover;
  const fitsBelow = bottom + offsetHeight + marginPx <= innerHeight;
  const highest = innerHeight - offsetHeight - marginPx;
  const wanted = fitsBelow ? bottom : top - offsetHeight;
  popover.style.top = `${Math.max(marginPx, Math.min(wanted, highest))}px`;
  popover.style.left = `${Math.max(marginPx, right - offsetWidth)}px`;
}

const marginPx = 4;

/**
 * Puts a popover below what opened it, or above where there is no room below; all of it stays on the page. Its side is
 * that of its opener which is nearer to the side of the page.
 */
export function placeBeside(popover: HTMLElement, opener: Element): void {
  const { bottom, top, left, right } = opener.getBoundingClientRect();
  const { offsetHeight, offsetWidth } = popover;
  const fitsBelow = bottom + offsetHeight + marginPx <= innerHeight;
  const highest = innerHeight - offsetHeight - marginPx;
  const wanted = fitsBelow ? bottom : top - offsetHeight;
  popover.style.top = `${Math.max(marginPx, Math.min(wanted, highest))}px`;
  const isMirrored = getComputedStyle(popover).direction === 'rtl';
  const [start, end] = isMirrored ? [innerWidth - right, innerWidth - left] : [left, right];
  const from = start + end < innerWidth ? start : end - offsetWidth;
  const farthest = innerWidth - offsetWidth - marginPx;
  popover.style.insetInlineStart = `${Math.max(marginPx, Math.min(from, farthest))}px`;
}

/** How a picture is shown: how much larger than it fits, and how far from the middle, in pixels. */
export interface Zoom {
  scale: number;
  x: number;
  y: number;
}

export const whole: Zoom = { scale: 1, x: 0, y: 0 };

const scaleMax = 8;
/** One step of a key or of a wheel. */
export const zoomStep = 1.25;

/** Returns a picture that is shown larger by a factor, or smaller; one that fits stands in the middle. */
export function zoomed({ scale, x, y }: Zoom, factor: number): Zoom {
  const next = Math.min(scaleMax, Math.max(1, scale * factor));
  if (next === 1) return whole;
  return { scale: next, x: (x * next) / scale, y: (y * next) / scale };
}

/** Returns a picture that was drawn along. One that fits does not move. */
export const panned = (zoom: Zoom, x: number, y: number): Zoom =>
  zoom.scale === 1 ? zoom : { ...zoom, x: zoom.x + x, y: zoom.y + y };

/** Returns the index after another one, or before it, and after the last the first. */
export const around = (at: number, by: number, count: number): number => (at + by + count) % count;

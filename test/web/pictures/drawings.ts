import sharp from 'sharp';

const png = (svg: string) => sharp(Buffer.from(svg)).png().toBuffer();

/** Numbers from 0 to 1 that are the same each time. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Hills below a sky of one hue: somebody's picture. */
export const drawAvatar = (hue: number) =>
  png(`<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${hue},60%,48%)"/>
      <stop offset="1" stop-color="hsl(${hue + 40},70%,78%)"/></linearGradient></defs>
    <rect width="256" height="256" fill="url(#sky)"/>
    <circle cx="${80 + (hue % 100)}" cy="92" r="34" fill="#fff" fill-opacity=".85"/>
    <path d="M0 190 Q70 ${120 + (hue % 50)} 140 185 T256 165 V256 H0Z" fill="hsl(${hue + 20},45%,30%)"/>
    <path d="M0 222 Q90 170 180 215 T256 205 V256 H0Z" fill="hsl(${hue + 20},50%,20%)"/></svg>`);

/** A dome under stars. */
export const drawIcon = () =>
  png(`<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256">
    <rect width="256" height="256" rx="48" fill="#1d2a52"/>
    <path d="M48 176a80 80 0 0 1 160 0z" fill="#e8ecf8"/><rect x="40" y="180" width="176" height="28" rx="6" fill="#9aa8d6"/>
    <path d="M118 96l40-20 12 80h-40z" fill="#1d2a52"/><circle cx="196" cy="56" r="9" fill="#ffd166"/>
    <circle cx="70" cy="62" r="6" fill="#fff"/></svg>`);

/** A galaxy among stars, as a telescope sees it. */
export function drawSky(): Promise<Buffer> {
  const chance = chances(11);
  const stars = Array.from({ length: 260 }, () => {
    const [x, y, light] = [chance() * 960, chance() * 540, chance()];
    return `<circle cx="${x}" cy="${y}" r="${0.4 + light ** 6 * 2.6}" fill="hsl(${200 + chance() * 60},60%,${75 + light * 25}%)"/>`;
  });
  return png(`<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540">
    <defs><radialGradient id="core"><stop stop-color="#fff6dd"/><stop offset=".12" stop-color="#f3cf9a"/>
      <stop offset=".4" stop-color="#8a78c8" stop-opacity=".55"/><stop offset="1" stop-color="#1b1f45" stop-opacity="0"/>
      </radialGradient></defs>
    <rect width="960" height="540" fill="#090c1d"/>${stars.join('')}
    <g transform="translate(500 270) rotate(-24)"><ellipse rx="330" ry="86" fill="url(#core)"/>
      <ellipse rx="210" ry="44" fill="url(#core)"/></g></svg>`);
}

/** A spectrum with lines. */
export function drawSpectrum(): Promise<Buffer> {
  const chance = chances(5);
  const lines = [
    [180, 90],
    [402, 150],
    [415, 60],
    [640, 110],
  ] as const;
  const points = Array.from({ length: 440 }, (_, index) => {
    const x = 60 + index * 1.9;
    const dips = lines.reduce((sum, [at, depth]) => sum + depth * Math.exp(-(((x - at) / 5) ** 2)), 0);
    return `${x},${110 + x * 0.06 + dips + chance() * 14}`;
  });
  return png(`<svg xmlns="http://www.w3.org/2000/svg" width="920" height="360">
    <rect width="920" height="360" fill="#fff"/><path d="M60 20V320H900" fill="none" stroke="#667"/>
    <polyline points="${points.join(' ')}" fill="none" stroke="#2b5fd9" stroke-width="1.6"/></svg>`);
}

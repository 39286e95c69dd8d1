import type { Face } from './people.ts';

/** The library is loaded where something is drawn: most who use this room draw nothing. */
async function png(svg: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return await sharp(Buffer.from(svg)).png().toBuffer();
}

const square = (content: string) =>
  png(`<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256">${content}</svg>`);

/** Numbers from 0 to 1 that are the same each time. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** What is behind the head, and what is over it. */
const cuts: Record<Face['cut'], (hair: string) => readonly [behind: string, over: string]> = {
  short: (hair) => ['', `<path d="M76 112Q74 56 128 56T180 112Q168 84 128 82T76 112Z" fill="${hair}"/>`],
  parted: (hair) => [
    '',
    `<path d="M74 116Q66 50 132 52T182 118Q176 92 150 84Q112 96 100 82Q82 92 74 116Z" fill="${hair}"/>`,
  ],
  long: (hair) => [
    `<path d="M70 118Q66 48 128 48T186 118V192Q178 206 160 202H96Q78 206 70 192Z" fill="${hair}"/>`,
    `<path d="M76 116Q76 58 128 58T180 116Q164 96 146 78Q112 100 76 116Z" fill="${hair}"/>`,
  ],
  curls: (hair) => [
    [
      [82, 92],
      [104, 66],
      [132, 56],
      [158, 68],
      [176, 94],
      [72, 122],
      [184, 122],
    ]
      .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="27" fill="${hair}"/>`)
      .join(''),
    `<path d="M80 104Q92 70 128 76T176 104Q160 88 128 88T80 104Z" fill="${hair}"/>`,
  ],
  bun: (hair) => [
    `<circle cx="128" cy="46" r="24" fill="${hair}"/>`,
    `<path d="M74 118Q70 54 128 54T182 118Q170 84 128 80T74 118Z" fill="${hair}"/>`,
  ],
};

const extras = {
  glasses: () =>
    '<g fill="#fff" fill-opacity=".25" stroke="#2a2730" stroke-width="5"><circle cx="107" cy="126" r="17"/><circle cx="149" cy="126" r="17"/></g><path d="M124 124h8" stroke="#2a2730" stroke-width="5"/>',
  beard: (hair: string) =>
    `<path d="M77 128Q80 192 128 192T179 128Q172 152 150 150Q128 142 106 150Q84 152 77 128Z" fill="${hair}"/>`,
};

/** Somebody's face, drawn. */
export function drawFace({ background, skin, hair, cut, shirt, extra }: Face): Promise<Buffer> {
  const [behind, over] = cuts[cut](hair);
  return square(`<defs><linearGradient id="back" x2="0" y2="1"><stop stop-color="hsl(${background},62%,78%)"/>
      <stop offset="1" stop-color="hsl(${background + 24},58%,64%)"/></linearGradient></defs>
    <rect width="256" height="256" fill="url(#back)"/>${behind}
    <path d="M28 256Q34 198 104 194H152Q222 198 228 256Z" fill="${shirt}"/>
    <path d="M108 166H148V198Q128 220 108 198Z" fill="${skin}"/><path d="M108 178Q128 196 148 178V190Q128 206 108 190Z" fill="#000" fill-opacity=".12"/>
    <ellipse cx="128" cy="126" rx="52" ry="60" fill="${skin}"/>
    ${extra === 'beard' ? extras.beard(hair) : ''}${over}
    <circle cx="107" cy="126" r="6" fill="#2a2730"/><circle cx="149" cy="126" r="6" fill="#2a2730"/>
    ${extra === 'glasses' ? extras.glasses() : ''}
    <path d="M110 158Q128 174 146 158" fill="none" stroke="${extra === 'beard' ? '#fff' : '#8a3f35'}" stroke-width="6" stroke-linecap="round"/>`);
}

/** A star with a face: the bot's. */
export const drawStar = () =>
  square(`<rect width="256" height="256" fill="#1d2a52"/>
    <path d="M128 34l26 62 67 5-51 44 16 65-58-35-58 35 16-65-51-44 67-5z" fill="#ffd166" stroke="#ffd166" stroke-width="14" stroke-linejoin="round"/>
    <circle cx="112" cy="124" r="7" fill="#1d2a52"/><circle cx="144" cy="124" r="7" fill="#1d2a52"/>
    <path d="M114 146Q128 158 142 146" fill="none" stroke="#1d2a52" stroke-width="6" stroke-linecap="round"/>`);

/** A dome under stars. */
export const drawIcon = () =>
  square(`<rect width="256" height="256" rx="48" fill="#1d2a52"/>
    <path d="M48 176a80 80 0 0 1 160 0z" fill="#e8ecf8"/><rect x="40" y="180" width="176" height="28" rx="6" fill="#9aa8d6"/>
    <path d="M118 96l40-20 12 80h-40z" fill="#1d2a52"/><circle cx="196" cy="56" r="9" fill="#ffd166"/>
    <circle cx="70" cy="62" r="6" fill="#fff"/>`);

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

/** The Moon, three days after it was new. */
export const drawMoon = () =>
  png(`<svg xmlns="http://www.w3.org/2000/svg" width="720" height="480">
    <defs><radialGradient id="sky" cx=".5" cy="1.1" r="1.1"><stop stop-color="#f4a261"/><stop offset=".45" stop-color="#7a5c9e"/>
      <stop offset="1" stop-color="#141a3c"/></radialGradient></defs>
    <rect width="720" height="480" fill="url(#sky)"/>
    <path d="M430 90a84 84 0 1 0 64 140a70 70 0 1 1 -64 -140z" fill="#fff3d6"/>
    <path d="M0 410Q120 360 210 396T420 388T720 372V480H0Z" fill="#1a1530"/>
    <path d="M150 392a60 60 0 0 1 120 0z" fill="#0e0b1e"/><rect x="146" y="390" width="128" height="24" fill="#0e0b1e"/></svg>`);

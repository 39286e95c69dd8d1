import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { type AcceptedPictures, Rendering } from './accepted.ts';
import { type Points, compare, readPoints, writePicture } from './compare.ts';

const Kind = z.enum(['accepted', 'now', 'difference']);
type Kind = z.infer<typeof Kind>;

const Differing = z.strictObject({
  name: z.string(),
  /** What is there to be shown of it. */
  pictures: z.array(Kind),
  /** The points that differ, as a share of all. */
  share: z.number(),
  reason: z.string().nullable(),
});
export type Differing = z.infer<typeof Differing>;

/** What a run has found, as `report.json` keeps it: what is accepted later is what it shows. */
const Report = z.strictObject({
  rendering: Rendering,
  /** What was broken on purpose. */
  broken: z.string().nullable(),
  /** How many pictures were compared. */
  compared: z.int(),
  differing: z.array(Differing),
  /** Accepted pictures of which there is no view any more. */
  gone: z.array(z.string()),
});
export type Report = z.infer<typeof Report>;

/** The largest difference first. */
const inOrder = (differing: readonly Differing[]): Differing[] =>
  differing.toSorted((one, other) => other.share - one.share || (one.name < other.name ? -1 : 1));

/** Compares pictures one by one, and puts those that differ into a folder, beside what was accepted. */
export class Reporter {
  readonly differing: Differing[] = [];
  compared = 0;
  private readonly folder: string;
  private readonly accepted: AcceptedPictures;

  private constructor(folder: string, accepted: AcceptedPictures) {
    this.folder = folder;
    this.accepted = accepted;
  }

  static async begin(folder: string, accepted: AcceptedPictures): Promise<Reporter> {
    await rm(join(folder, 'pictures'), { recursive: true, force: true });
    await rm(join(folder, 'report.json'), { force: true });
    await mkdir(join(folder, 'pictures'), { recursive: true });
    return new Reporter(folder, accepted);
  }

  /** Returns how the picture differs, or null. */
  async add(name: string, now: Points): Promise<Differing | null> {
    this.compared += 1;
    const before = await this.accepted.find(name);
    const difference = compare(before, now);
    if (!difference) return null;
    const pictures: [Kind, Points | null][] = [
      ['accepted', before],
      ['now', now],
      ['difference', difference.shown],
    ];
    const there = pictures.flatMap(([kind, points]) => (points ? [{ kind, points }] : []));
    for (const { kind, points } of there)
      await writeFile(join(this.folder, fileOf(name, kind)), await writePicture(points, 0));
    const { share, reason } = difference;
    const found = { name, pictures: there.map(({ kind }) => kind), share, reason };
    this.differing.push(found);
    return found;
  }

  async end(rest: Pick<Report, 'rendering' | 'broken' | 'gone'>): Promise<Report> {
    const report: Report = { ...rest, compared: this.compared, differing: inOrder(this.differing) };
    await writeFile(join(this.folder, 'report.json'), JSON.stringify(report, null, 2));
    await writeFile(join(this.folder, 'report.html'), toHtml(report));
    return report;
  }
}

const fileOf = (name: string, kind: Kind) => `pictures/${name}.${kind}.webp`;

/** Returns null where no run has left a report. */
export async function findReport(folder: string): Promise<Report | null> {
  const text = await readFile(join(folder, 'report.json'), 'utf8').catch(() => null);
  return text === null ? null : Report.parse(JSON.parse(text));
}

/** The picture of a report as it was taken. */
export const readShown = async (folder: string, name: string): Promise<Points> =>
  await readPoints(await readFile(join(folder, fileOf(name, 'now'))));

export const percent = (share: number): string =>
  share >= 0.0001 ? `${(share * 100).toFixed(2)} %` : 'less than 0.01 %';

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const style = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 24px }
section { margin-block: 32px }
h2 { font-size: 17px }
div { display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px }
figure { margin: 0 }
img { max-width: 100%; border: 1px solid #8888 }`;

/** One page that shows what differs, the largest difference first; it needs no server. */
export function toHtml({ differing, compared, rendering, broken, gone }: Report): string {
  const sections = inOrder(differing).map(({ name, pictures, share, reason }) => {
    const figures = pictures.map((kind) => {
      const file = fileOf(name, kind);
      return `<figure><figcaption>${kind}</figcaption><a href="${file}"><img src="${file}" alt="${name}, ${kind}" loading="lazy"></a></figure>`;
    });
    return `<section id="${name}"><h2>${name}: ${escape(reason ?? percent(share))}</h2><div>${figures.join('')}</div></section>`;
  });
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${differing.length} of ${compared} pictures differ</title>
<style>${style}</style>
<h1>${differing.length} of ${compared} pictures differ</h1>
<p>Chromium ${escape(rendering.chromium)}, ${escape(rendering.platform)}${broken === null ? '' : `; broken on purpose: ${escape(broken)}`}</p>
${gone.length > 0 ? `<p>Accepted, and of no view any more: ${escape(gone.join(', '))}</p>` : ''}
${sections.join('\n')}
</html>
`;
}

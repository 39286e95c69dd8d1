import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { type Points, readPoints, writePicture } from './compare.ts';

/** What draws: another browser, or other typefaces of the system, draw the same page otherwise. */
export const Rendering = z.strictObject({
  chromium: z.string(),
  platform: z.string(),
  /** Of a page with letters that the client leaves to typefaces of the system. */
  typefaces: z.string(),
});
export type Rendering = z.infer<typeof Rendering>;

const Acceptance = z.strictObject({
  /** Of the points, so that a file that was changed by hand is not taken for accepted. */
  sha256: z.string(),
  on: z.iso.date(),
  because: z.string().min(1),
});

const Index = z.strictObject({ rendering: Rendering, pictures: z.record(z.string(), Acceptance) });
type Index = z.infer<typeof Index>;

interface Accepting {
  rendering: Rendering;
  because: string;
  on: Date;
  gone: readonly string[];
}

const hashOf = ({ data }: Points) => createHash('sha256').update(data).digest('hex');

/** The pictures that somebody has accepted, and why: `accepted.json`, and a file without loss for each. */
export class AcceptedPictures {
  private readonly folder: string;
  private index: Index | null;

  private constructor(folder: string, index: Index | null) {
    this.folder = folder;
    this.index = index;
  }

  static async open(folder: string): Promise<AcceptedPictures> {
    const text = await readFile(join(folder, 'accepted.json'), 'utf8').catch(() => null);
    return new AcceptedPictures(folder, text === null ? null : Index.parse(JSON.parse(text)));
  }

  /** What drew them; null while there are none. */
  get rendering(): Rendering | null {
    return this.index?.rendering ?? null;
  }

  get names(): string[] {
    return Object.keys(this.index?.pictures ?? {});
  }

  /**
   * Returns null for a picture that nobody has accepted.
   * @throws Error for a file that is not the one that was accepted
   */
  async find(name: string): Promise<Points | null> {
    const acceptance = this.index?.pictures[name];
    if (!acceptance) return null;
    const points = await readPoints(await readFile(this.fileOf(name)));
    if (hashOf(points) !== acceptance.sha256)
      throw new Error(`${this.fileOf(name)} is not what was accepted.`);
    return points;
  }

  /** Accepts pictures by their names, and forgets `gone`. From then on all are of that rendering. */
  async accept(
    names: readonly string[],
    load: (name: string) => Promise<Points>,
    { rendering, because, on, gone }: Accepting,
  ): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const kept = { ...this.index?.pictures };
    for (const name of names) {
      const points = await load(name);
      await writeFile(this.fileOf(name), await writePicture(points, 6));
      kept[name] = { sha256: hashOf(points), on: on.toISOString().slice(0, 10), because };
    }
    for (const name of gone) {
      delete kept[name];
      await rm(this.fileOf(name), { force: true });
    }
    const sorted = Object.entries(kept).toSorted(([one], [other]) => (one < other ? -1 : 1));
    this.index = { rendering, pictures: Object.fromEntries(sorted) };
    await writeFile(join(this.folder, 'accepted.json'), `${JSON.stringify(this.index, null, 2)}\n`);
  }

  isOf(rendering: Rendering): boolean {
    const mine = this.rendering;
    return (
      mine !== null &&
      mine.chromium === rendering.chromium &&
      mine.platform === rendering.platform &&
      mine.typefaces === rendering.typefaces
    );
  }

  private fileOf(name: string): string {
    return join(this.folder, `${name}.webp`);
  }
}

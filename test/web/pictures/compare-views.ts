import { join } from 'node:path';

import { type Conclusion, sayProgress } from '@parley/infra';

import type { AcceptedPictures } from '../../pictures/accepted.ts';
import { readPoints } from '../../pictures/compare.ts';
import { type Differing, type Report, Reporter, percent } from '../../pictures/report.ts';
import { show } from '../settle.ts';
import type { Places } from './organization.ts';
import { type Posing, type Studio, photograph, themes, widths } from './photograph.ts';
import { findRendering } from './rendering.ts';
import { type View, views } from './views.ts';

interface Comparing {
  studio: Studio;
  places: Places;
  accepted: AcceptedPictures;
  /** Where the report goes. */
  folder: string;
}

type Width = keyof typeof widths;
const widthNames = Object.keys(widths) as Width[];

const nameOf = (view: string, width: Width, theme: string) => `${view}-${width}-${theme}`;

/** The names of all pictures of a view. */
export const namesOf = ({ name }: View): string[] =>
  widthNames.flatMap((width) => themes.map((theme) => nameOf(name, width, theme)));

/** Photographs views in one width, and compares. */
class Round implements AsyncDisposable {
  readonly failed: string[] = [];
  private readonly width: Width;
  private readonly comparing: Comparing;
  private readonly reporter: Reporter;
  private shown: Posing | null = null;
  /** Pages that show one view after the other, by whose they are. */
  private readonly shared = new Map<string, Posing>();

  constructor(width: Width, comparing: Comparing, reporter: Reporter) {
    this.width = width;
    this.comparing = comparing;
    this.reporter = reporter;
  }

  async look(view: View): Promise<void> {
    const name = `${view.name}, ${this.width}`;
    try {
      const differing = (await this.photograph(view)).flatMap((one) =>
        one ? [one.reason ?? `differs by ${percent(one.share)}`] : [],
      );
      sayProgress(`${name}: ${differing.length === 0 ? 'as accepted' : differing.join(', ')}`);
    } catch (error) {
      this.failed.push(name);
      await this.leaveBehind(view);
      sayProgress(`${name} FAILED: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const posing of this.shared.values()) await posing[Symbol.asyncDispose]();
    this.shared.clear();
  }

  private async photograph(view: View): Promise<(Differing | null)[]> {
    const posing = await this.pageFor(view);
    this.shown = posing;
    await view.pose(posing.page, this.comparing.places);
    const shots = await photograph(posing);
    if (posing.problems.length > 0) throw new Error(posing.problems.join(' '));
    if (view.isAlone) await posing[Symbol.asyncDispose]();
    else await leave(posing);
    const found = [];
    for (const theme of themes)
      found.push(
        await this.reporter.add(nameOf(view.name, this.width, theme), await readPoints(shots[theme])),
      );
    return found;
  }

  /** Keeps what the page shows instead, and begins anew. */
  private async leaveBehind({ name }: View): Promise<void> {
    const path = join(this.comparing.folder, `failed-${name}-${this.width}.png`);
    await this.shown?.page.screenshot({ path }).catch(() => undefined);
    await this.shown?.[Symbol.asyncDispose]();
    await this[Symbol.asyncDispose]();
  }

  private async pageFor({ who, options, isAlone }: View): Promise<Posing> {
    const known = isAlone ? undefined : this.shared.get(who ?? '');
    if (known) return known;
    const opened = await this.comparing.studio.open(who, { ...widths[this.width], ...options });
    if (!isAlone) this.shared.set(who ?? '', opened);
    return opened;
  }
}

/** Closes what is open, and goes where nothing is remembered. */
async function leave({ page, whenQuiet }: Posing): Promise<void> {
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape');
  await show(page, 'about');
  await whenQuiet();
}

/** Photographs views in every width and theme, and reports how they differ from what was accepted. */
export async function compareViews(chosen: readonly View[], comparing: Comparing): Promise<Conclusion> {
  const { studio, accepted, folder } = comparing;
  const reporter = await Reporter.begin(folder, accepted);
  const failed: string[] = [];
  for (const width of widthNames) {
    await using round = new Round(width, comparing, reporter);
    for (const view of chosen) await round.look(view);
    failed.push(...round.failed);
  }
  if (studio.breaking !== null && studio.broken.files === 0)
    throw new Error(`No file of the client has what ${studio.breaking} changes.`);
  const known = views.flatMap(namesOf);
  const report = await reporter.end({
    rendering: await findRendering(studio.browser),
    broken: studio.breaking,
    gone: accepted.names.filter((one) => !known.includes(one)),
  });
  return conclusionOf(report, failed, folder);
}

function conclusionOf(report: Report, failed: readonly string[], folder: string): Conclusion {
  const { differing, compared, gone } = report;
  const holds = differing.length === 0 && failed.length === 0 && gone.length === 0;
  const largest = differing.slice(0, 3).map(({ name, share }) => `${name} (${percent(share)})`);
  const parts = [
    `${compared - differing.length} of ${compared} pictures of the web client are as accepted`,
    differing.length > 0 && `${differing.length} differ, most of all ${largest.join(', ')}`,
    gone.length > 0 && `of ${gone.length} accepted ones there is no view`,
    failed.length > 0 && `NOT photographed: ${failed.join('; ')}`,
    !holds && `see ${join(folder, 'report.html')}`,
  ];
  return {
    holds,
    result: `${parts.filter((part) => part !== false).join('; ')}.`,
    report: { ...report, failed, folder },
  };
}

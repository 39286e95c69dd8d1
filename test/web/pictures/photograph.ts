import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';

import type { Stage } from '../area.ts';
import { signIn } from '../area.ts';
import { type Watched, openPage } from '../browser.ts';
import { type BreakName, type Broken, breakClient } from './breaks.ts';
import { provideEmoji } from './emoji.ts';
import { now } from './organization.ts';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** As wide as a desk, a tablet and a phone. */
export const widths = {
  desktop: { viewport: { width: 1440, height: 820 } },
  tablet: { viewport: { width: 900, height: 700 }, hasTouch: true },
  phone: { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true },
} as const satisfies Record<string, BrowserContextOptions>;

/** Everything of a browser that pictures could depend on. */
const fixed: BrowserContextOptions = {
  timezoneId: 'UTC',
  locale: 'en-US',
  reducedMotion: 'reduce',
  forcedColors: 'none',
  contrast: 'no-preference',
  deviceScaleFactor: 1,
};

/** What the client asks with another method than GET although it only reads. */
const reads = /\/json\/(?:register|messages\/render|messages\/matches_narrow)$/;
const isPoll = (request: Request) => /\/json\/events\?/.test(request.url()) && request.method() === 'GET';

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>['cookies'];

/** A page that waits to be photographed. */
export interface Posing extends Watched {
  /** Resolves when nothing that it asked for is missing. */
  readonly whenQuiet: () => Promise<void>;
}

/** Opens pages that look the same each time. */
export class Studio {
  readonly broken: Broken = { files: 0 };
  private readonly stage: Stage;
  /** What it breaks on purpose. */
  readonly breaking: BreakName | null;
  private readonly sessions = new Map<string, Promise<Cookies>>();

  constructor(stage: Stage, breaking: BreakName | null) {
    this.stage = stage;
    this.breaking = breaking;
  }

  get browser(): Browser {
    return this.stage.browser;
  }

  /** Shows the client to somebody, or to nobody, whose browser has just been installed. */
  async open(who: string | null, options: BrowserContextOptions): Promise<Posing> {
    const watched = await openPage(this.stage.browser, { ...fixed, ...options });
    const { page, problems } = watched;
    // A busy machine takes its time.
    page.setDefaultTimeout(90_000);
    const context = page.context();
    await page.clock.setFixedTime(now);
    await provideEmoji(context);
    await this.refuseChanges(page, problems);
    if (this.breaking) await breakClient(context, this.breaking, this.broken);
    const traffic = new Traffic(page);
    if (who !== null) await context.addCookies(await this.sessionOf(who));
    await page.goto(this.stage.address);
    // What is done to a page that still begins would be another thing each time.
    if (who !== null) await page.getByRole('search').waitFor();
    return { ...watched, whenQuiet: () => traffic.whenQuiet(), [Symbol.asyncDispose]: () => context.close() };
  }

  /** What one picture did would be in the next: nothing is changed, and only presence is reported. */
  private async refuseChanges(page: Page, problems: string[]): Promise<void> {
    await page.context().route('**/json/**', async (route) => {
      const request = route.request();
      const { pathname } = new URL(request.url());
      if (request.method() === 'GET' || reads.test(pathname) || pathname === '/json/events')
        return await route.fallback();
      problems.push(
        `The page asks for ${request.method()} ${pathname}, which would change the next picture.`,
      );
      await route.abort();
    });
    await this.keepPresence(page);
  }

  /** The server hears of nobody’s presence, not of theirs who sign in either, and the answer is always the same. */
  private async keepPresence(page: Page): Promise<void> {
    const id = (name: string) => this.stage.demos.demo(name).user_id;
    const seconds = now.getTime() / 1000;
    const presences = {
      [id('Bob Lindqvist')]: { active_timestamp: seconds - 10, idle_timestamp: seconds - 10 },
      [id('Mona Rivera')]: { active_timestamp: seconds - 10, idle_timestamp: seconds - 10 },
      [id('Carol Haddad')]: { active_timestamp: seconds - 3600, idle_timestamp: seconds - 10 },
    };
    const json = {
      result: 'success',
      msg: '',
      server_timestamp: seconds,
      presence_last_update_id: 1,
      presences,
    };
    await page.context().route('**/json/users/me/presence', (route) => route.fulfill({ json }));
  }

  /** Signs in once for all pictures. */
  private sessionOf(who: string): Promise<Cookies> {
    const begin = async () => {
      await using watched = await openPage(this.stage.browser);
      await this.keepPresence(watched.page);
      await watched.page.goto(this.stage.address);
      await signIn(this.stage, watched, who);
      return (await watched.page.context().storageState()).cookies;
    };
    const session = this.sessions.get(who) ?? begin();
    this.sessions.set(who, session);
    return session;
  }
}

/** What a page has asked for and not got, but for the poll, which always waits. */
class Traffic {
  private readonly missing = new Set<Request>();
  private onQuiet: (() => void) | null = null;

  constructor(page: Page) {
    page.on('request', (request) => {
      if (!isPoll(request)) this.missing.add(request);
    });
    const end = (request: Request) => {
      this.missing.delete(request);
      if (this.missing.size === 0) this.onQuiet?.();
    };
    page.on('requestfinished', end);
    page.on('requestfailed', end);
  }

  async whenQuiet(): Promise<void> {
    while (this.missing.size > 0) await new Promise<void>((resolve) => (this.onQuiet = resolve));
  }
}

/** Letters have their typeface, pictures are there, and what was to be drawn is. */
const isDrawn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 }));
  });

const attemptsMax = 40;

/**
 * Photographs a page in one theme, when two pictures in a row are the same.
 * @throws Error where it does not come to rest
 */
async function photographIn(theme: Theme, { page, whenQuiet }: Posing): Promise<Buffer> {
  await page.emulateMedia({ colorScheme: theme });
  let last: Buffer | null = null;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    await whenQuiet();
    await isDrawn(page);
    const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    if (last?.equals(shot)) return shot;
    last = shot;
  }
  throw new Error(`The page does not come to rest in ${attemptsMax} pictures.`);
}

/** Photographs a page in each theme. */
export async function photograph(posing: Posing): Promise<Record<Theme, Buffer>> {
  const light = await photographIn('light', posing);
  return { light, dark: await photographIn('dark', posing) };
}

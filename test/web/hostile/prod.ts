import type { Page } from 'playwright-core';

/** What would end the tour: these take away what is shown, or lead elsewhere. */
const avoided = /log out|delete|deactivate|archive|leave|unsubscribe|remove|revoke|mark all/i;

const openers =
  'button, summary, [role="button"], [role="tab"], [role="menuitem"], [aria-haspopup], a[href^="javascript:" i]';
const opened = '[role="dialog"] *, [popover] *, [role="menu"] *, [role="listbox"] *, [role="tooltip"] *';
const fields = 'textarea, input[type="search"], input[type="text"], input:not([type]), [role="combobox"]';
const starts = ['@', '#', ':', '<', '"', '#**general>', 'channel:', 'sender:'];
const pointedMax = 100;

/** What was done on a tour; what has the same name is done once. */
export interface Done {
  pressed: Set<string>;
  typed: Set<string>;
}

/**
 * Does with a view what people do in passing: points at what is there, presses what opens something, closes it again,
 * and types what completion answers with names, emoji and channels.
 */
export async function prod(page: Page, { pressed, typed }: Done): Promise<void> {
  const fragment = await page.evaluate(() => location.hash);
  await pointAt(page, 'a, button, img, article, li, [title], [data-user-id]');
  for (const name of await newNames(page, fields, typed)) await complete(page, name);
  for (const name of await newNames(page, openers, pressed)) {
    await press(page, name);
    await pointAt(page, opened);
    await page.keyboard.press('Escape');
    await page.evaluate((hash) => {
      if (location.hash !== hash) location.hash = hash;
    }, fragment);
  }
}

/** Names of elements that are shown and were not named before. They are marked with their names. */
async function newNames(page: Page, selector: string, known: Set<string>): Promise<string[]> {
  const names = await page.evaluate((chosen) => {
    const shown = [...document.querySelectorAll<HTMLElement>(chosen)].filter((one) => one.checkVisibility());
    return shown.map((one) => {
      const label = one instanceof HTMLInputElement ? one.labels?.[0]?.textContent : one.textContent;
      const name = (one.ariaLabel ?? (label || one.title)).replaceAll(/\d+/g, '').trim().slice(0, 40);
      one.dataset['prodded'] = name;
      return name;
    });
  }, selector);
  const fresh = [...new Set(names)].filter((name) => !known.has(name) && !avoided.test(name));
  for (const name of fresh) known.add(name);
  return fresh;
}

const press = (page: Page, name: string) =>
  page.evaluate((wanted) => {
    const all = [...document.querySelectorAll<HTMLElement>('[data-prodded]')];
    all.find((one) => one.dataset['prodded'] === wanted)?.click();
  }, name);

async function complete(page: Page, name: string): Promise<void> {
  for (const start of starts) {
    const isThere = await page.evaluate((wanted) => {
      const all = [...document.querySelectorAll<HTMLElement>('input[data-prodded], textarea[data-prodded]')];
      const field = all.find((one) => one.dataset['prodded'] === wanted);
      field?.focus();
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
      return document.activeElement === field;
    }, name);
    if (!isThere) return;
    await page.keyboard.type(start);
    await pointAt(page, opened);
  }
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Escape');
}

/** Sends the events of a pointer that comes and stays, also to what lies under something else. */
async function pointAt(page: Page, selector: string): Promise<void> {
  await page.evaluate(
    async ([chosen, max]) => {
      for (const element of [...document.querySelectorAll(chosen)].slice(-max)) {
        for (const type of [
          'pointerover',
          'pointerenter',
          'mouseover',
          'mouseenter',
          'mousemove',
          'focusin',
        ]) {
          element.dispatchEvent(new MouseEvent(type, { bubbles: true }));
        }
      }
      await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 200 }));
    },
    [selector, pointedMax] as const,
  );
}

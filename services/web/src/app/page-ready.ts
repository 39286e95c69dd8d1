const event = (target: EventTarget, names: readonly string[]) =>
  new Promise<void>((resolve) => {
    for (const name of names) target.addEventListener(name, () => resolve(), { once: true });
  });

/** Resolves when the page is there with its style sheets: what is drawn before would be measured wrongly. */
export async function pageReady(): Promise<void> {
  if (document.readyState === 'loading') await event(document, ['DOMContentLoaded']);
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  await Promise.all(sheets.filter(({ sheet }) => !sheet).map((link) => event(link, ['load', 'error'])));
}

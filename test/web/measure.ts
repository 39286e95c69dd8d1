import type { Page } from 'playwright-core';

/** Elements of the whole page. */
export const countElements = () => document.querySelectorAll('*').length;

/** What the page's script keeps, after all that nobody needs is gone. */
export async function heapMb(page: Page): Promise<number> {
  const debuggerSession = await page.context().newCDPSession(page);
  await debuggerSession.send('HeapProfiler.collectGarbage');
  const { usedSize } = await debuggerSession.send('Runtime.getHeapUsage');
  await debuggerSession.detach();
  return usedSize / 1e6;
}

/**
 * Scrolls for so many frames, as a wheel would, and answers with how many frames came late. The reader's place must
 * never jump: what is in view moves by what was scrolled, whatever is loaded meanwhile.
 */
export async function scroll(page: Page, pixels: number, frames: number) {
  return await page.evaluate(
    async ([pixels, count]) => {
      const scroller = document.querySelector('.message-scroller');
      if (!scroller) throw new Error('There is no list.');
      const frame = async () => await new Promise(requestAnimationFrame);
      const middle = () => {
        const box = scroller.getBoundingClientRect();
        return [...scroller.querySelectorAll('article')].find(
          (one) => one.getBoundingClientRect().bottom > box.top + box.height / 2,
        );
      };
      let [late, before] = [0, performance.now()];
      const jumps: string[] = [];
      // The list has come to rest before it is scrolled.
      for (let [rest, at] = [0, -1]; rest < 10; await frame()) {
        rest = scroller.scrollTop === at ? rest + 1 : 0;
        at = scroller.scrollTop;
      }
      before = performance.now();
      for (let done = 0; done < count; done += 1) {
        const seen = middle();
        const top = seen?.getBoundingClientRect().top ?? 0;
        const from = scroller.scrollTop;
        scroller.scrollBy(0, pixels);
        const moved = scroller.scrollTop - from;
        await frame();
        const now = performance.now();
        if (now - before > 50) late += 1;
        before = now;
        if (!seen?.isConnected) continue;
        const by = seen.getBoundingClientRect().top - top + moved;
        if (Math.abs(by) > 2) jumps.push(`${by} at ${seen.textContent.slice(0, 30)}`);
      }
      return { late, jumps };
    },
    [pixels, frames] as const,
  );
}

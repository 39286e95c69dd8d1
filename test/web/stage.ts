import { startDemoCluster } from '../support/demo-cluster.ts';
import { type Stage, openAs } from './area.ts';
import { launchBrowser } from './browser.ts';

export const sayLine = (line: string) => process.stdout.write(`${line}\n`);

/** A browser here is somebody who does in minutes what others do in days. */
const manyRequests = { RATE_LIMIT_BY_USER: '60:100000', RATE_LIMIT_BY_ADDRESS: '60:100000' };

/**
 * Does something with a browser over a demo cluster, and takes both away afterwards. Answers with the status that the
 * process ends with: what was done answers with it, and it is 2 where there is no browser.
 *
 * @param work gets the stage by the name under which it says what it saw
 */
export async function onStage(work: (stageFor: (name: string) => Stage) => Promise<number>): Promise<number> {
  const browser = await launchBrowser();
  if (!browser) {
    sayLine('The web client was not tried: there is no Chromium.');
    return 2;
  }
  try {
    await using demos = await startDemoCluster(manyRequests);
    return await work((name) => {
      const stage: Stage = {
        demos,
        browser,
        address: demos.cluster.baseUrl,
        open: (person, options) => openAs(stage, person, options),
        saw: (what) => sayLine(`${name}: ${what}`),
      };
      return stage;
    });
  } finally {
    await browser.close();
  }
}

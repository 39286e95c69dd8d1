import { type Conclusion, cannotRun, conclude, sayProgress } from '@parley/infra';

import { launchBrowser } from '../support/chromium.ts';
import { type DemoOptions, startDemoCluster } from '../support/demo-cluster.ts';
import { type Stage, openAs } from './area.ts';

/** A browser here is somebody who does in minutes what others do in days. */
const manyRequests = { RATE_LIMIT_BY_USER: '60:100000', RATE_LIMIT_BY_ADDRESS: '60:100000' };

/**
 * Does something with a browser over a demo cluster, takes both away, prints what was found and ends the process: with 2
 * where there is no browser.
 *
 * @param work gets the stage by the name under which it says what it saw
 * @param observatoryAt the moment at which its people are those of the observatory that `npm start` founds
 */
export async function onStage(
  asJson: boolean,
  work: (stageFor: (name: string) => Stage) => Promise<Conclusion>,
  { observatoryAt }: Pick<DemoOptions, 'observatoryAt'> = {},
): Promise<never> {
  const browser = await launchBrowser();
  if (browser) {
    try {
      await using demos = await startDemoCluster({
        env: manyRequests,
        ...(observatoryAt && { observatoryAt }),
      });
      const found = await work((name) => {
        const stage: Stage = {
          demos,
          browser,
          address: demos.cluster.baseUrl,
          open: (person, options) => openAs(stage, person, options),
          saw: (what) => sayProgress(`${name}: ${what}`),
        };
        return stage;
      });
      conclude(asJson, found);
    } finally {
      await browser.close();
    }
  } else cannotRun(asJson, 'There is no Chromium here, so the web client was not tried.');
  process.exit();
}

import { table } from '../../support/picture.ts';
import { onStage, sayLine } from '../stage.ts';
import { measureBusyHour } from './busy-hour.ts';
import { measureScrolling } from './scrolling.ts';
import { measureStart, scriptKibMax } from './start.ts';

/** How large, fast and lasting the client is. The machine decides about all but the first line, which has a limit. */
const status = await onStage(async (stageFor) => {
  const stage = stageFor('figures');
  const start = await measureStart(stage);
  const scrolling = await measureScrolling(stage);
  const hour = await measureBusyHour(stage);
  sayLine(table([...start.rows, ...scrolling, ...hour]));
  if (start.scriptKib <= scriptKibMax) return 0;
  sayLine(`The script is larger than ${scriptKibMax} KiB.`);
  return 1;
});
process.exit(status);

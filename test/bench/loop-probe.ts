import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a program under measurement: writes how long its event loop was held, one line for each time, in
 * milliseconds that passed and in milliseconds of the thread's own processor time, which others on the machine do not
 * change.
 */
const file = process.env['LOOP_PROBE'];
const everyMs = 2;
const worthTellingMs = 4;

if (file !== undefined && isMainThread) {
  const spentMs = () =>
    Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  let [lastMs, lastSpentMs] = [performance.now(), spentMs()];
  setInterval(() => {
    const [nowMs, nowSpentMs] = [performance.now(), spentMs()];
    if (nowSpentMs - lastSpentMs > worthTellingMs) {
      appendFileSync(file, `${nowMs - lastMs} ${nowSpentMs - lastSpentMs}\n`);
    }
    [lastMs, lastSpentMs] = [performance.now(), spentMs()];
  }, everyMs).unref();
}

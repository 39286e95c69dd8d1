import { type Stage, said } from '../area.ts';
import { askAs, channelId, say } from '../as-user.ts';
import { countElements, heapMb } from '../measure.ts';

/** Ten messages a second for an hour. */
const messages = 36_000;
const writersAtOnce = 8;

/** A page that shows the topic of a busy channel, while an hour's messages arrive as fast as the server takes them. */
export async function measureBusyHour(stage: Stage): Promise<[string, string][]> {
  const bob = askAs(stage, 'Bob Member');
  const general = await channelId(bob, 'general');
  await say(bob, 'general', 'busy', 'It begins.');
  await using alice = await stage.open('Alice Member');
  const { page } = alice;
  await page.goto(`${stage.address}/#narrow/channel/${general}-general/topic/busy`);
  await said(page, 'It begins.').waitFor();
  const [before, elementsBefore] = [await heapMb(page), await page.evaluate(countElements)];
  let left = messages;
  const writeUntil = async (rest: number) => {
    const write = async () => {
      while (left > rest) {
        left -= 1;
        await say(bob, 'general', 'busy', `Reading ${left} of a sensor, which is **within** its limits.`);
      }
    };
    await Promise.all(Array.from({ length: writersAtOnce }, write));
    await say(bob, 'general', 'busy', `There are ${rest} left.`);
    await said(page, `There are ${rest} left.`).waitFor({ timeout: 120_000 });
  };
  const from = performance.now();
  await writeUntil(messages / 2);
  const half = await heapMb(page);
  await writeUntil(0);
  const seconds = Math.round((performance.now() - from) / 1000);
  return [
    [`memory of its scripts before a busy hour (${messages} messages)`, `${before.toFixed(1)} MB`],
    ['after half of it', `${half.toFixed(1)} MB`],
    [`after it (which took ${seconds} s)`, `${(await heapMb(page)).toFixed(1)} MB`],
    ['elements before it', String(elementsBefore)],
    ['elements after it', String(await page.evaluate(countElements))],
  ];
}

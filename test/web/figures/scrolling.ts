import { type Stage, said } from '../area.ts';
import { askAs, channelId, say } from '../as-user.ts';
import { fillTopic } from '../fill-topic.ts';
import { countElements, heapMb, scroll } from '../measure.ts';

const messages = 100_000;
const frames = 1000;

/** A topic of many messages, scrolled as fast as a wheel turns. */
export async function measureScrolling(stage: Stage): Promise<[string, string][]> {
  const bob = askAs(stage, 'Bob Member');
  await fillTopic(stage.demos, await say(bob, 'general', 'many', 'The first.'), messages);
  const general = await channelId(bob, 'general');
  await using alice = await stage.open('Alice Member');
  const { page } = alice;
  await page.goto(`${stage.address}/#narrow/channel/${general}-general/topic/many`);
  await said(page, `Message ${messages}`).waitFor();
  const [up, down] = [await scroll(page, -160, frames), await scroll(page, 160, frames)];
  return [
    [`frames of ${frames} later than 50 ms, scrolling up in ${messages} messages`, String(up.late)],
    [`frames of ${frames} later than 50 ms, scrolling down again`, String(down.late)],
    ['memory of its scripts after that', `${(await heapMb(page)).toFixed(1)} MB`],
    ['elements after that', String(await page.evaluate(countElements))],
  ];
}

import type { Job } from '@parley/protocol';
import { describe, expect, test, vi } from 'vitest';

import {
  type Person,
  arePreviewsDue,
  previewedUrls,
  runRecurring,
  startBeside,
  sweptAlone,
  tell,
} from '../../support/index.ts';
import { day, later, realmWithPreviews, storyHead, startPreviewPages } from './preview-pages.ts';

const { outside, publish, look } = await startPreviewPages();

describe('a worker', () => {
  const beside = () => startBeside(outside.outbound);

  /** Waits until a message is rendered again; the worker may be done before it asks. */
  const hearsRendering = (listener: Awaited<ReturnType<Person['listen']>>) =>
    vi.waitUntil(async () => (await listener.hears()).find(({ rendering_only }) => rendering_only === true), {
      timeout: 60_000,
      interval: 20,
    });

  test('is asked by whoever sends or edits a message with a link', async () => {
    const { alice, bob } = await realmWithPreviews();
    await using side = await beside();
    const phone = await bob.listen();
    await side.work();

    const sent = { type: 'direct', to: [bob.id], content: publish(storyHead) };
    const { body } = await alice.ask('POST', '/messages', sent, side.differing);
    expect(await hearsRendering(phone)).toMatchObject({ message_id: body.id });

    // With a mention, which has to be looked up, it is sent in another way.
    const mentioning = { ...sent, content: `@**Bob** ${publish(storyHead)}` };
    const { body: second } = await alice.ask('POST', '/messages', mentioning, side.differing);
    expect(await hearsRendering(phone)).toMatchObject({ message_id: second.id });

    await alice.ask('PATCH', `/messages/${body.id}`, { content: publish(storyHead) }, side.differing);
    expect(await hearsRendering(phone)).toMatchObject({ message_id: body.id });
  });

  test('is asked again when Redis has lost everything', async () => {
    const { alice, bob } = await realmWithPreviews();
    await using side = await beside();
    const sent = { type: 'direct', to: [bob.id], content: publish(storyHead) };
    const { body } = await alice.ask('POST', '/messages', sent, side.differing);
    await side.redis.flushdb();
    const phone = await bob.listen();
    await side.work();
    const { queues } = side;

    // What was sent within the last minute may still be on its way.
    expect(await runRecurring('sweep-previews', { queues })).toEqual({ enqueued: 0 });
    expect(await runRecurring('sweep-previews', { queues, ...later(61_000) })).toEqual({ enqueued: 1 });
    expect(await hearsRendering(phone)).toMatchObject({ message_id: body.id });
    expect(await runRecurring('sweep-previews', { queues, ...later(61_000) })).toEqual({ enqueued: 0 });
  });

  test('looks for messages of the organizations that a server holds alone', async () => {
    const [asked, other] = [await realmWithPreviews(), await realmWithPreviews()];
    for (const { alice, bob } of [asked, other]) await tell(alice, [bob], publish(storyHead));
    const jobs: Job[] = [];
    const queues = { enqueue: (job: Job) => void jobs.push(job) };
    const alone = await sweptAlone(asked.realm.id);
    await runRecurring('sweep-previews', { queues, ...alone, ...later(61_000) });
    expect(jobs.map(({ realmId }) => realmId)).toEqual([asked.realm.id]);
    await runRecurring('sweep-previews', { queues, ...alone, ...later(1.1 * day) });
    await runRecurring('sweep-previews', { queues, ...later(61_000) });
    expect(jobs.map(({ realmId }) => realmId)).toEqual([asked.realm.id, other.realm.id]);
  });

  test('gives up after a day, and forgets pages that had nothing to say', async () => {
    const { alice, bob, realm: home } = await realmWithPreviews();
    const [url, other] = [publish(storyHead), publish('')];
    await look(alice, await tell(alice, [bob], `${url} ${other}`));
    const id = await tell(alice, [bob], url);
    expect(await arePreviewsDue(alice, id)).toBe(true);
    await runRecurring('sweep-previews', later(1.1 * day));
    expect(await arePreviewsDue(alice, id)).toBe(false);
    expect(await previewedUrls(home.id)).toEqual([url]);
  });
});

import * as room from '@parley/actions';
import { createLogger } from '@parley/kit';
import { describe, expect, test } from 'vitest';

import { type Json, type Params, getWorld, realm, scrape, succeed, tell } from '../support/index.ts';
import { performAdHoc } from '../support/perform-ad-hoc.ts';
import { sendTraces, startTraceCollector } from '../support/trace-collector.ts';

const counted = async (action: string, outcome: string) =>
  (await scrape()).of('parley_actions_total', { action, outcome });

/** A logger, and the lines that it wrote. */
function logging() {
  const lines: Json[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { lines, logger: createLogger({ role: 'test', level: 'info', destination }) };
}

describe('an action', () => {
  test('is counted and timed by its name', async () => {
    const { alice } = await realm();
    const action = 'savedSnippets.create';
    const timed = async () => (await scrape()).of('parley_action_seconds_count', { action });
    const before = [await counted(action, 'committed'), await timed()];
    await succeed(alice.post('/saved_snippets', { title: 'Thanks', content: 'Thank you!' }));
    expect([await counted(action, 'committed'), await timed()]).toEqual(before.map((count) => count + 1));
  });

  test('an action that is refused is counted as refused', async () => {
    const { alice } = await realm();
    const before = await counted('savedSnippets.remove', 'refused');
    expect(await alice.delete('/saved_snippets/1')).toMatchObject({ result: 'error' });
    expect(await counted('savedSnippets.remove', 'refused')).toBe(before + 1);
  });

  test('an action that fails is counted as failed, and its error bears its name', async () => {
    const { realm: home } = await realm();
    const { engine } = await getWorld();
    const before = await counted('tests.adHoc', 'failed');
    const failing = performAdHoc(engine, home.id, (tx) =>
      tx.execute('select 1 / 0').then(() => ({ events: [] })),
    );
    await expect(failing).rejects.toMatchObject({ action: 'tests.adHoc' });
    expect(await counted('tests.adHoc', 'failed')).toBe(before + 1);
    const { lines, logger } = logging();
    await failing.catch((error: unknown) => logger.error({ err: error }, 'failed'));
    expect(lines).toMatchObject([{ err: { action: 'tests.adHoc', query: 'select 1 / 0' } }]);
  });

  test('an action that sends a message is counted once, whether or not it needs a transaction of its own', async () => {
    const { alice, bob } = await realm();
    await tell(alice, [bob], 'first');
    const before = await counted('messages.send', 'committed');
    await tell(alice, [bob], 'plain');
    await tell(alice, [bob], '@**all**, hello');
    expect(await counted('messages.send', 'committed')).toBe(before + 2);
  });

  test('is a span of the trace of its request', async () => {
    const { alice } = await realm();
    await using collector = await startTraceCollector();
    {
      await using _ = await sendTraces(collector);
      await succeed(alice.post('/saved_snippets', { title: 'Thanks', content: 'Thank you!' }));
    }
    const request = collector.spans.find(({ name }) => name === 'POST /api/v1/saved_snippets');
    const spans = collector.spans.filter(
      ({ attributes, parentSpanId }) => 'parley.action' in attributes && parentSpanId === request?.spanId,
    );
    expect(spans.map(({ name }) => name)).toEqual(['presence.recordActivity', 'savedSnippets.create']);
  });

  test('stands in the line of its request, also when it is refused', async () => {
    const { alice, bob } = await realm();
    const { lines, logger } = logging();
    await using api = await (await getWorld()).startApi({ logger });
    const ask = (method: string, path: string, params: Params) =>
      alice.ask(method, path, params, { port: api.port });
    await ask('POST', '/saved_snippets', { title: 'Thanks', content: 'Thank you!' });
    await ask('POST', '/messages', { type: 'direct', to: [bob.id], content: 'x' });
    await ask('DELETE', '/saved_snippets/1', {});
    await ask('GET', '/saved_snippets', {});
    expect(lines.map(({ action }) => action)).toEqual([
      'savedSnippets.create',
      'messages.send',
      'savedSnippets.remove',
      undefined,
    ]);
  });
});

test('metrics name declared actions alone', async () => {
  const names = new Set(
    Object.values(room).flatMap((verbs) =>
      Object.values(verbs).flatMap((verb: unknown) =>
        typeof verb === 'function' && 'actionName' in verb ? [verb.actionName] : [],
      ),
    ),
  );
  const measured = await scrape();
  const labels = ['parley_actions_total', 'parley_action_seconds_count'].flatMap((name) =>
    measured.valuesOf(name, 'action'),
  );
  expect(labels.length).toBeGreaterThan(3);
  expect(labels.filter((label) => label !== 'tests.adHoc' && !names.has(label))).toEqual([]);
});

import { describe, expect, test } from 'vitest';

import { done, outcomeOf, realm, refused } from '../support/index.ts';

describe('saved snippets', () => {
  test('are saved, changed, listed and deleted, and their owner’s clients are told', async () => {
    const { alice, bob } = await realm();
    const phone = await alice.listen();
    const { saved_snippet_id: id } = await alice.post('/saved_snippets', {
      title: ' Hello ',
      content: '\nHello, @all! ',
    });
    const saved = { id, title: 'Hello', content: 'Hello, @all!', date_created: expect.any(Number) };
    expect(await alice.get('/saved_snippets')).toEqual({ ...done, saved_snippets: [saved] });
    expect(await alice.patch(`/saved_snippets/${id}`, { title: ' Later ', content: 'Bye' })).toEqual(done);
    expect(await alice.patch(`/saved_snippets/${id}`)).toEqual(done);
    const { saved_snippets } = await alice.post('/register', { fetch_event_types: ['saved_snippets'] });
    const changed = { ...saved, title: 'Later', content: 'Bye' };
    expect(saved_snippets).toEqual([changed]);
    expect(await alice.delete(`/saved_snippets/${id}`)).toEqual(done);
    expect(await phone.hears()).toMatchObject([
      { type: 'saved_snippets', op: 'add', saved_snippet: saved },
      { type: 'saved_snippets', op: 'update', saved_snippet: changed },
      { type: 'saved_snippets', op: 'remove', saved_snippet_id: id },
    ]);
    expect((await bob.get('/saved_snippets')).saved_snippets).toEqual([]);
  });

  test('refuse what they cannot be', async () => {
    const { alice } = await realm();
    const save = async (title: string, content: string) =>
      outcomeOf(await alice.post('/saved_snippets', { title, content }));
    expect(await save(' ', 'x')).toBe('title cannot be empty.');
    expect(await save('x', ' \n')).toBe('content cannot be empty.');
    expect(await save('😀'.repeat(60), 'x')).toBe('ok');
    expect(await save('x'.repeat(61), 'x')).toBe('title can have at most 60 characters.');
    expect(await save('x', 'x'.repeat(10_001))).toBe('content can have at most 10000 characters.');
    expect(await save('a\0', 'x')).toBe('title contains a null character.');
    const { id } = (await alice.get('/saved_snippets')).saved_snippets[0];
    expect(outcomeOf(await alice.patch(`/saved_snippets/${id}`, { title: '' }))).toBe(
      'title cannot be empty.',
    );
  });

  test('saved snippets of others do not exist', async () => {
    const { alice, bob } = await realm();
    const { saved_snippet_id: id } = await alice.post('/saved_snippets', { title: 'a', content: 'a' });
    const missing = refused('This saved snippet does not exist.');
    for (const reply of [
      await bob.ask('PATCH', `/saved_snippets/${id}`, { title: 'b' }),
      await bob.ask('DELETE', `/saved_snippets/${id}`),
    ]) {
      expect([reply.status, reply.body]).toEqual([404, missing]);
    }
    expect((await alice.get('/saved_snippets')).saved_snippets).toMatchObject([{ title: 'a' }]);
  });

  test('are bounded in bytes', async () => {
    const { alice } = await realm();
    const content = '字'.repeat(10_000);
    const save = () => alice.post('/saved_snippets', { title: 'x', content });
    const outcomes = [];
    for (let count = 0; count < 70; count += 1) outcomes.push(outcomeOf(await save()));
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(69);
    expect(outcomes.at(-1)).toBe('Your saved snippets can have at most 2097152 bytes in total.');
  });
});

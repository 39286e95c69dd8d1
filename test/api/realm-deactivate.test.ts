import { describe, expect, test } from 'vitest';

import { getWorld, realm, say, subscribe, succeed, tell } from '../support/index.ts';

const refused = { code: 'UNAUTHORIZED', msg: 'This organization has been deactivated.' };

describe('POST /realm/deactivate', () => {
  test('tells everyone who listens, and lets nobody do anything from then on', async () => {
    const { owner, alice, bob, guest, bot, realm: home } = await realm();
    await subscribe(alice, 'news');
    // So that whatever is remembered for quick sends is remembered.
    await say(alice, 'news');
    const [phone, quiet] = [await bob.listen(), await guest.listen({ event_types: ['message'] })];
    await phone.hears();
    await quiet.hears();
    const [waiting, silent] = [phone.poll(), quiet.poll()];

    expect(await owner.post('/realm/deactivate')).toEqual({ result: 'success', msg: '' });

    expect(await waiting).toMatchObject({
      events: [{ type: 'realm', op: 'deactivated', realm_id: home.id }],
    });
    expect(await silent).toMatchObject(refused);
    expect(await phone.poll({ dont_block: true })).toMatchObject(refused);
    for (const person of [owner, alice, bob, guest, bot]) {
      expect(await person.get('/users/me')).toMatchObject(refused);
      expect(await person.post('/register')).toMatchObject(refused);
    }
    const sent = { type: 'channel', to: 'news', topic: 't', content: 'one more' };
    expect(await alice.post('/messages', sent)).toMatchObject(refused);
    expect(await bob.delete('/events', { queue_id: phone.queueId })).toMatchObject(refused);
    expect((await alice.fetch(`/avatar/${bob.id}`)).status).toBe(401);
  });

  test('is for owners, of their own organization alone', async () => {
    const [{ admin, alice, owner }, other] = [await realm(), await realm()];
    for (const person of [admin, alice])
      expect(await person.post('/realm/deactivate')).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
    await succeed(owner.post('/realm/deactivate'));
    expect((await other.alice.get('/users/me')).result).toBe('success');
  });

  test('promises no deletion that nobody would do', async () => {
    const { owner } = await realm();
    const asked = { deletion_delay_days: 30 };
    expect(await owner.post('/realm/deactivate', asked)).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await owner.post('/realm/deactivate', { deletion_delay_days: null })).toMatchObject({
      result: 'success',
    });
  });

  test('happens once, also where two owners want it at once', async () => {
    const { owner, realm: home } = await realm();
    const replies = await Promise.all([1, 2].map(() => owner.post('/realm/deactivate')));
    expect(replies.filter(({ result }) => result === 'success')).toHaveLength(1);
    expect(replies).toContainEqual(expect.objectContaining({ msg: refused.msg }));
    const { sql } = await getWorld();
    const ends = await sql`
      select from event_log where realm_id = ${home.id} and entry #>> '{event,op}' = 'deactivated'`;
    expect(ends).toHaveLength(1);
  });

  test('ends what was planned: previews, and new addresses', async () => {
    const { owner, alice, bob, realm: home } = await realm();
    await succeed(owner.patch('/realm', { inline_url_embed_preview: true }));
    await tell(alice, [bob], 'https://page.example/');
    await succeed(alice.patch('/settings', { email: 'new@alice.example' }));
    await succeed(owner.post('/realm/deactivate'));
    const { sql } = await getWorld();
    const rows = await sql`
      select from messages where realm_id = ${home.id} and previews_due_at is not null
      union all select from email_changes where realm_id = ${home.id}`;
    expect(rows).toHaveLength(0);
  });
});

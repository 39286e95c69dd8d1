import { expect, test } from 'vitest';

import { type Person, askUnsubscribe, createChannel, realm, succeed } from '../support/index.ts';

const settingsOf = async (who: Person) =>
  (await who.post('/register', { fetch_event_types: ['user_settings'] })).user_settings;

test('whoever has a mail about missed messages ends them, those of channels too, and nothing else', async () => {
  const { alice } = await realm();
  const channel = await createChannel(alice, 'news');
  const wish = { stream_id: channel, property: 'email_notifications', value: true };
  await succeed(alice.post('/users/me/subscriptions/properties', { subscription_data: [wish] }));
  const phone = await alice.listen({ event_types: ['user_settings', 'subscription'] });

  const shown = await askUnsubscribe(alice, 'GET');
  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(shown.text).toContain('<form method="post">');
  expect(await phone.hears()).toEqual([]);

  expect((await askUnsubscribe(alice, 'POST')).status).toBe(200);
  expect((await askUnsubscribe(alice, 'POST')).status).toBe(200);
  const told = (await phone.hears()).map(({ property, value }) => `${property} ${value}`);
  expect(told.sort()).toEqual([
    'email_notifications false',
    'enable_digest_emails false',
    'enable_followed_topic_email_notifications false',
    'enable_offline_email_notifications false',
  ]);
  expect(await settingsOf(alice)).toMatchObject({
    enable_offline_push_notifications: true,
    enable_stream_email_notifications: false,
  });
});

test('a link that was not made here, or whose account has ended, ends nothing', async () => {
  const [{ alice, owner }, other] = [await realm(), await realm()];
  const forged = await askUnsubscribe(alice, 'POST', (path) => path.replace(/\d+\./, `${owner.id}.`));
  expect(forged.status).toBe(404);
  // Of another organization.
  for (const method of ['GET', 'POST'] as const) {
    expect((await askUnsubscribe({ ...alice, realm: other.realm }, method)).status, method).toBe(404);
  }
  expect(await settingsOf(owner)).toMatchObject({ enable_offline_email_notifications: true });
  await succeed(owner.delete(`/users/${alice.id}`));
  expect((await askUnsubscribe(alice, 'POST')).status).toBe(401);
  await succeed(owner.post('/realm/deactivate'));
  expect((await askUnsubscribe(owner, 'POST')).status).toBe(401);
});

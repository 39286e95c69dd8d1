import assert from 'node:assert/strict';

import type { BrowserContext, Page, Worker } from 'playwright-core';

import { type PushBrowser, createPushBrowser } from '../../support/browser-services.ts';
import { type Stage, assertSound, signIn } from '../area.ts';
import { askAs, say } from '../as-user.ts';
import type { Watched } from '../browser.ts';

const path = '/users/me/web_push_subscriptions';

interface Shown {
  title: string;
  body: string;
  tag: string;
  data: { id: number; fragment: string };
}

/** What this browser shows of notifications. */
const shownIn = (page: Page): Promise<Shown[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const shown = await registration.getNotifications();
    return shown.map(({ title, body, tag, data }) => ({ title, body, tag, data: data as Shown['data'] }));
  });

/**
 * The browser's own part in a subscription: it would ask the push service of its maker, which no test has. Everything else
 * of a subscription is as a browser makes it.
 */
async function giveSubscriptions(context: BrowserContext, { subscription }: PushBrowser): Promise<void> {
  await context.addInitScript((made) => {
    const { endpoint, p256dh, auth } = made;
    const key = 'test-subscribed-with';
    const subscriptionOf = (applicationServerKey: ArrayBuffer) => ({
      endpoint,
      expirationTime: null,
      options: { applicationServerKey, userVisibleOnly: true },
      toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
      unsubscribe: () => {
        localStorage.removeItem(key);
        return Promise.resolve(true);
      },
    });
    const kept = () => {
      const bytes = localStorage.getItem(key);
      return bytes === null ? null : subscriptionOf(Uint8Array.from(JSON.parse(bytes) as number[]).buffer);
    };
    Object.assign(PushManager.prototype, {
      getSubscription: () => Promise.resolve(kept()),
      subscribe: ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
        localStorage.setItem(key, JSON.stringify([...applicationServerKey]));
        return Promise.resolve(kept());
      },
    });
  }, subscription);
}

/** Hands what a push service would have delivered to the service worker, as Chromium does once it has decrypted it. */
async function deliver(page: Page, told: object): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations.filter(({ isDeleted }) => !isDeleted);
      if (registration) resolve(registration.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const { origin } = new URL(page.url());
  const data = JSON.stringify(told);
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await found, data });
  await session.detach();
}

/** As if nobody looked at a page: tests cannot take the focus from one. */
async function deliverUnseen(page: Page, told: object): Promise<void> {
  const worker = await workerOf(page.context());
  await worker.evaluate(() => {
    const { clients } = globalThis as unknown as {
      clients: { matchAll(options: object): Promise<object[]> };
    };
    const original = clients.matchAll.bind(clients);
    clients.matchAll = async (options) =>
      (await original(options))
        .filter((client) => !('url' in client) || !String(client.url).endsWith('.webmanifest'))
        .map(
          (client) =>
            new Proxy(client, {
              get: (target, name) => {
                if (name === 'focused') return false;
                const value: unknown = Reflect.get(target, name, target);
                return typeof value === 'function' ? value.bind(target) : value;
              },
            }),
        );
  });
  await deliver(page, told);
}

/** Waits until what is shown is as wanted. */
async function shows(page: Page, isWanted: (shown: Shown[]) => boolean): Promise<Shown[]> {
  for (let tries = 0; tries < 300; tries += 1) {
    const shown = await shownIn(page);
    if (isWanted(shown)) return shown;
    await page.waitForTimeout(100);
  }
  throw new Error(`Shown is ${JSON.stringify(await shownIn(page))}.`);
}

/** What the browser does when somebody clicks a notification. Windows are not opened: it is noted which ones would be. */
async function click(worker: Worker, tag: string): Promise<string[]> {
  return await worker.evaluate(async (wanted) => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration;
      clients: { openWindow(url: string): Promise<null> };
      NotificationEvent: new (name: string, options: object) => Event;
    };
    const opened: string[] = [];
    scope.clients.openWindow = (url) => {
      opened.push(url);
      return Promise.resolve(null);
    };
    const [notification] = await scope.registration.getNotifications({ tag: wanted });
    const waits: Promise<unknown>[] = [];
    const event = new scope.NotificationEvent('notificationclick', { notification });
    Object.assign(event, { waitUntil: (done: Promise<unknown>) => waits.push(done) });
    dispatchEvent(event);
    // Only a person's click may bring a window to the front.
    await Promise.allSettled(waits);
    return opened;
  }, tag);
}

async function workerOf(context: BrowserContext): Promise<Worker> {
  return context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
}

/** Alice turns notifications on, is told while no page of hers is in front, and goes to the message. */
export async function isNotified(stage: Stage): Promise<void> {
  await using alice = await stage.open(null, { serviceWorkers: 'allow', permissions: ['notifications'] });
  const { page } = alice;
  const context = page.context();
  const browser = createPushBrowser();
  await giveSubscriptions(context, browser);
  await page.reload();
  await signIn(stage, alice, 'Alice Member');
  await turnsOn(stage, alice);

  const bob = askAs(stage, 'Bob Member');
  const id = await say(bob, 'general', 'pushed', 'Look at **this**');
  const stream = await bob.get<{ stream_id: number }>('/get_stream_id', { stream: 'general' });
  const told = {
    event: 'message',
    id,
    sender: 'Bob Member',
    avatar_url: null,
    stream_id: stream.stream_id,
    channel: 'general',
    topic: 'pushed',
    content: 'Look at this',
  };
  await isOpened(stage, alice, told);
  await isRemoved(stage, alice, told);
  await endsWithTheSession(stage, alice);
}

async function turnsOn(stage: Stage, alice: Watched): Promise<void> {
  const { page } = alice;
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.goto(`${stage.address}/#settings/notifications`);
  const group = page.getByRole('group', { name: 'Notifications on this device' });
  await group.getByRole('button', { name: 'Notify me while Parley is closed' }).click();
  await group.getByText('You’re notified on this device, even while Parley is closed.').waitFor();
  const { subscriptions } = await askAs(stage, 'Alice Member').get<{ subscriptions: { name: string }[] }>(
    path,
  );
  assert.equal(subscriptions.length, 1);
  assert.match(subscriptions[0]?.name ?? '', /^Chrome on /);
  await assertSound(alice, 'a device that is notified');
  await group.getByRole('button', { name: 'For an hour' }).click();
  await group.getByText(/are paused until/).waitFor();
  await group.getByRole('button', { name: 'Resume notifications' }).click();
  await group.getByRole('button', { name: 'For an hour' }).waitFor();
  stage.saw('a device is registered in the settings, paused and resumed');
}

interface ToldMessage {
  id: number;
  content: string;
}

async function isOpened(stage: Stage, { page }: Watched, told: ToldMessage): Promise<void> {
  const context = page.context();
  // Another page is in front, and no page of the client is open.
  await page.goto('about:blank');
  const probe = await context.newPage();
  await probe.goto(`${stage.address}/manifest.webmanifest`);
  await deliverUnseen(probe, told);
  const [shown] = await shows(probe, (all) => all.length === 1);
  assert.equal(shown?.title, 'Bob Member (#general › pushed)');
  assert.equal(shown.body, 'Look at this');
  stage.saw('what is pushed is shown while no page of the client is open');

  const opened = await click(await workerOf(context), shown.tag);
  assert.deepEqual(opened, [`/${shown.data.fragment}`]);
  assert.deepEqual(await shownIn(probe), []);
  await page.goto(`${stage.address}/${shown.data.fragment}`);
  await page.getByRole('article').filter({ hasText: 'Look at this' }).waitFor();
  stage.saw('a click on a notification opens a page at the message');

  await page.goto(`${stage.address}/#inbox`);
  // Of another topic: a browser may drop what replaces a notification that it is still closing.
  await deliverUnseen(probe, { ...told, topic: 'pushed later', id: told.id + 1_000_000 });
  const [later] = await shows(probe, (all) => all.length === 1);
  assert.deepEqual(await click(await workerOf(context), later?.tag ?? ''), []);
  await page.waitForURL(/narrow.*\/near\/\d+$/);
  stage.saw('and leads a page that is open already to it');
  await probe.close();
}

async function isRemoved(stage: Stage, { page }: Watched, told: ToldMessage): Promise<void> {
  await page.goto(`${stage.address}/manifest.webmanifest`);
  await deliverUnseen(page, { event: 'message', id: told.id + 2_000_000, sender: 'Bob Member', others: [1] });
  const shown = await shows(page, (all) => all.some(({ title }) => title === 'Bob Member'));
  assert.equal(shown.find(({ title }) => title === 'Bob Member')?.body, 'New direct message');
  await deliver(page, { event: 'remove', message_ids: [told.id + 1_000_000, told.id + 2_000_000] });
  await shows(page, (all) => all.length === 0);
  stage.saw('a notification without its text says so, and one that was read elsewhere goes away');
}

async function endsWithTheSession(stage: Stage, { page }: Watched): Promise<void> {
  await page.goto(stage.address);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Password').waitFor();
  const { subscriptions } = await askAs(stage, 'Alice Member').get<{ subscriptions: object[] }>(path);
  assert.deepEqual(subscriptions, []);
  await page.waitForFunction(() => localStorage.getItem('test-subscribed-with') === null);
  stage.saw('whoever logs out is notified there no more');
}

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { type Area, type Stage, assertSound, inSidebar, withPeople } from './area.ts';
import { askAs, channelId, untilAnswered } from './as-user.ts';
import type { Watched } from './browser.ts';

/** The path of the link to join in the mail to somebody, as soon as there is one. */
async function invitedPath({ demos }: Stage, email: string): Promise<string> {
  const signal = AbortSignal.timeout(30_000);
  for (;;) {
    signal.throwIfAborted();
    const names = await readdir(demos.mailDir).catch(() => []);
    const mails = await Promise.all(names.map((name) => readFile(join(demos.mailDir, name), 'utf8')));
    const mail = mails.find((text) => text.includes(`To: ${email}`))?.replaceAll(/=\r?\n/g, '');
    const path = mail && /\/join\/[\w.-]+/.exec(mail)?.[0];
    if (path) return path;
    await setTimeout(100, undefined, { signal });
  }
}

async function show(stage: Stage, { page }: Watched, path: string): Promise<void> {
  await page.goto(`${stage.address}/#administration/${path}`);
  await page.getByRole('navigation', { name: 'Organization' }).waitFor();
}

async function checkInvitation(stage: Stage, olivia: Watched): Promise<void> {
  const { open, saw } = stage;
  const { page } = olivia;
  const email = 'nadia@demo.example';
  await show(stage, olivia, 'invitations');
  const form = page.getByRole('form', { name: 'Invite with a link' });
  await form.getByLabel('Additional channels').selectOption('general');
  await form.getByRole('button', { name: 'Create link' }).click();
  const link = await form.getByLabel('Anyone with this link can join').inputValue();
  await page.getByText(link).waitFor();
  await assertSound(olivia, 'invitations');
  saw('a link is made, and listed at once');

  await using nadia = await open(null);
  await nadia.page.goto(`${stage.address}${new URL(link).pathname}`);
  await assertSound(nadia, 'the page of an invitation');
  await nadia.page.getByLabel('Your email address').fill(email);
  await nadia.page.getByRole('button', { name: 'Send the invitation' }).click();
  await nadia.page.getByText('We have sent an email').waitFor();
  await nadia.page.goto(`${stage.address}${await invitedPath(stage, email)}`);
  await nadia.page.getByLabel('Your name').fill('Nadia New');
  await nadia.page.getByLabel('Choose a password').fill('a long enough passphrase');
  await nadia.page.getByRole('button', { name: 'Join' }).click();
  await nadia.page.getByText('your account is ready').waitFor();
  await assertSound(nadia, 'the page of a new account');
  await nadia.page.getByRole('link', { name: 'Log in' }).click();
  await nadia.page.getByLabel('Email address').fill(email);
  await nadia.page.getByLabel('Password').fill('a long enough passphrase');
  await nadia.page.getByRole('button', { name: 'Log in' }).click();
  await nadia.page.getByRole('link', { name: '#general' }).waitFor();
  await show(stage, olivia, 'people');
  await page.getByRole('main').getByText('Nadia New').first().waitFor();
  saw('whoever has the link joins, and is in the chat');

  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Deactivate Nadia New' }).click();
  await nadia.page.getByRole('button', { name: 'Log in' }).waitFor();
  saw('whoever is deactivated is out at once');
}

async function checkRoles(stage: Stage, olivia: Watched): Promise<void> {
  const { open, saw } = stage;
  await using carol = await open('Carol Member', withPeople);
  await show(stage, carol, 'groups');
  const tab = carol.page.getByRole('link', { name: 'Exports' });
  assert.equal(await tab.isVisible(), false);
  await assertSound(carol, 'groups');
  await show(stage, olivia, 'people');
  await olivia.page.getByLabel('Role of Carol Member').selectOption('Administrator');
  await tab.waitFor();
  await assertSound(olivia, 'the accounts');
  await olivia.page.getByLabel('Role of Carol Member').selectOption('Member');
  await tab.waitFor({ state: 'detached' });
  saw('a new role is seen at once, with what it may do');

  // Beside what is set up, there are neither conversations nor people.
  await carol.page.getByRole('link', { name: 'Back to messages' }).click();
  await show(stage, olivia, 'channels');
  const form = olivia.page.getByRole('form', { name: 'Create a channel' });
  await form.getByLabel('Name').fill('workshop');
  await form.getByLabel('Who can read it').selectOption({ index: 2 });
  await form.getByLabel('Subscribers besides you').selectOption('Carol Member');
  await form.getByRole('button', { name: 'Create' }).click();
  await inSidebar(carol.page, '#workshop').waitFor();
  await assertSound(olivia, 'the channels');
  await olivia.page.getByRole('button', { name: '#workshop' }).click();
  const dialog = olivia.page.getByRole('dialog', { name: '#workshop' });
  await dialog.getByLabel('Name').fill('atelier');
  await assertSound(olivia, 'a channel');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await inSidebar(carol.page, '#atelier').waitFor();
  saw('a channel is created and renamed before the eyes of those in it');

  await show(stage, olivia, 'groups');
  await olivia.page.getByLabel('Name').fill('crew');
  await olivia.page.getByRole('button', { name: 'Create' }).click();
  await olivia.page.getByText('crew').first().click();
  await olivia.page.getByLabel('Add a user to crew').selectOption('Carol Member');
  await olivia.page.getByRole('button', { name: 'Add', exact: true }).first().click();
  await carol.page.getByRole('complementary').getByRole('button', { name: 'crew 2' }).waitFor();
  await assertSound(olivia, 'a group');
  saw('a group is made, and others see who is in it');
}

async function checkExport(stage: Stage, olivia: Watched): Promise<void> {
  const { open, saw } = stage;
  await using adam = await open('Adam Administrator');
  await show(stage, adam, 'exports');
  await show(stage, olivia, 'exports');
  await olivia.page.getByRole('button', { name: 'Start export' }).click();
  for (const { page } of [olivia, adam]) {
    await page.getByText('by Olivia Owner').waitFor();
    await page.getByText('Ready', { exact: true }).waitFor();
  }
  const download = adam.page.waitForEvent('download');
  await adam.page.getByRole('link', { name: 'Download' }).click();
  assert.match((await download).suggestedFilename(), /\.(?:tar\.gz|tgz|zip)$/);
  await assertSound(adam, 'exports');
  saw('an export is begun, made and fetched; others see how it stands');
}

async function checkProfileFields(stage: Stage, olivia: Watched): Promise<void> {
  const { open, saw } = stage;
  const { page } = olivia;
  await show(stage, olivia, 'profile-fields');
  const form = page.getByRole('form', { name: 'Add a profile field' });
  const add = async (name: string, type: string, options?: string) => {
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('Type').selectOption(type);
    if (options !== undefined) await form.getByLabel('Options, one per line').fill(options);
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
  };
  await add('Homepage of mine', 'Link');
  await add('Tea or coffee', 'List of options', 'Tea\nCoffee');
  await add('Works with', 'People');
  await page.getByRole('button', { name: 'Move Works with up' }).click();
  await assertSound(olivia, 'profile fields');

  await using bob = await open('Bob Member');
  await bob.page.goto(`${stage.address}/#settings/account`);
  await bob.page.getByLabel('Homepage of mine').fill('https://bob.example/');
  await bob.page.getByLabel('Tea or coffee').selectOption('Coffee');
  await bob.page.getByLabel('Works with').selectOption(['Carol Member', 'Alice Member']);
  await bob.page.getByRole('button', { name: 'Save profile' }).click();
  await assertSound(bob, 'a profile that is filled in');
  await page.evaluate(
    (id) => void (location.hash = `narrow/dm/${id}`),
    stage.demos.demo('Bob Member').user_id,
  );
  await page.getByRole('button', { name: 'People', exact: true }).click();
  await page.getByRole('button', { name: 'View profile of Bob Member' }).first().click();
  const card = page.getByRole('dialog', { name: 'Bob Member' });
  await card.getByRole('link', { name: 'https://bob.example/' }).waitFor();
  await card.getByText('Coffee', { exact: true }).waitFor();
  await card.getByText(/Alice Member, Carol Member|Carol Member, Alice Member/).waitFor();
  await assertSound(olivia, 'a card with profile fields');
  await page.keyboard.press('Escape');
  saw('profiles ask for what the organization wants, and cards show it');
}

/** Reads settings of the organization until they are as they should be. */
const settingsAre = (stage: Stage, expected: Record<string, unknown>): Promise<void> =>
  untilAnswered(async () => {
    const asked = { fetch_event_types: ['realm'] };
    const reply = await askAs(stage, 'Olivia Owner').post<Record<string, unknown>>('/register', asked);
    return Object.fromEntries(Object.keys(expected).map((name) => [name, reply[`realm_${name}`]]));
  }, expected);

async function checkCallsAndReports(stage: Stage, olivia: Watched): Promise<void> {
  const { page } = olivia;
  const as = askAs(stage, 'Olivia Owner');
  await as.post('/users/me/subscriptions', { subscriptions: [{ name: 'desk' }], invite_only: true });
  const moderation_request_channel_id = await channelId(as, 'desk');
  await show(stage, olivia, 'organization');
  await page.getByLabel('Send reports to').selectOption('#desk');
  await page.getByLabel('Service for calls').selectOption('Jitsi Meet');
  const address = page.getByLabel('Address of your Jitsi server');
  await address.fill('meet.example');
  await address.press('Tab');
  await page.locator('.toast.refusal').waitFor();
  assert.match(olivia.problems.splice(0).join(), /\b400\b/, 'the refusal, and nothing else');
  await address.fill('https://meet.example');
  await address.press('Tab');
  await settingsAre(stage, {
    moderation_request_channel_id,
    video_chat_provider: 1,
    jitsi_server_url: 'https://meet.example',
  });
  await page.goto(`${stage.address}/#narrow/channel/${moderation_request_channel_id}-desk`);
  await page.keyboard.press('c');
  await page.getByRole('button', { name: 'Add a call' }).waitFor();

  await show(stage, olivia, 'organization');
  await page.getByLabel('Send reports to').selectOption('No channel');
  await page.getByLabel('Service for calls').selectOption('None');
  await address.fill('');
  await address.press('Tab');
  await settingsAre(stage, {
    moderation_request_channel_id: -1,
    video_chat_provider: 0,
    jitsi_server_url: null,
  });
  await page.goto(`${stage.address}/#narrow/channel/${moderation_request_channel_id}-desk`);
  await page.keyboard.press('c');
  await page.getByRole('button', { name: 'Emoji', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add a call' }).waitFor({ state: 'detached' });
  stage.saw('administrators choose where reports go and where calls take place, or that there are none');
}

/** Makes the bot of a webhook with a secret, and follows the way to how GitHub is set up. */
async function checkWebhook(stage: Stage, olivia: Watched): Promise<void> {
  const { page } = olivia;
  await show(stage, olivia, 'bots');
  const form = page.getByRole('form', { name: 'Create a bot' });
  await form.getByLabel('Name', { exact: true }).fill('Kettle');
  await form.getByLabel('Short name').fill('kettle');
  await form.getByLabel('Type').selectOption('2');
  await form.getByLabel('Secret').fill('warm');
  await form.getByRole('button', { name: 'Create' }).click();
  const bot = page.getByRole('listitem').filter({ hasText: 'Kettle' });
  await bot.getByText('API key').click();
  const key = await bot.getByRole('code').innerText();
  const body = '{}';
  const send = async (secret: string) => {
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const headers = { 'X-GitHub-Event': 'watch', 'X-Hub-Signature-256': `sha256=${signature}` };
    const address = `${stage.address}/api/v1/external/github?api_key=${key}`;
    return (await fetch(address, { method: 'POST', body, headers })).status;
  };
  assert.deepEqual([await send('cold'), await send('warm')], [401, 200]);
  stage.saw('a webhook takes what is signed with its secret alone');

  await form.getByLabel('Type').selectOption('2');
  const address = await form
    .getByRole('link', { name: 'Products that can send messages' })
    .getAttribute('href');
  await using visitor = await stage.open(null);
  await visitor.page.goto(`${stage.address}${address}`);
  await assertSound(visitor, 'the integrations');
  await visitor.page.getByRole('link', { name: 'GitHub', exact: true }).click();
  await visitor.page.getByRole('heading', { name: 'Set up in three steps' }).waitFor();
  await assertSound(visitor, 'the page of an integration');
  stage.saw('the integrations lead to how each is set up');
}

/** People, invitations, groups, channels, settings of the organization, exports. */
export const administration: Area = {
  name: 'administration',
  async check(stage) {
    const { open, saw } = stage;
    await using olivia = await open('Olivia Owner');
    await checkInvitation(stage, olivia);
    await checkRoles(stage, olivia);
    await checkExport(stage, olivia);
    await checkProfileFields(stage, olivia);
    await checkCallsAndReports(stage, olivia);
    await checkWebhook(stage, olivia);

    await show(stage, olivia, 'organization');
    const form = olivia.page.getByRole('form', { name: 'Name and description' });
    await form.getByLabel('Name').fill('Demo renamed');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await olivia.page.getByRole('link', { name: 'Demo renamed', exact: true }).waitFor();
    await form.getByLabel('Name').fill('Demo');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await olivia.page.getByRole('link', { name: 'Demo', exact: true }).waitFor();
    for (const path of [
      'organization',
      'permissions',
      'bots',
      'emoji',
      'linkifiers',
      'playgrounds',
      'webhooks',
    ]) {
      await show(stage, olivia, path);
      await assertSound(olivia, path);
    }
    saw('the organization has its name, and every page of its settings is sound');
  },
};

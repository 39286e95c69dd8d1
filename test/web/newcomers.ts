import assert from 'node:assert/strict';

import { type Area, type Stage, assertSound } from './area.ts';
import { askAs, untilAnswered } from './as-user.ts';
import type { Watched } from './browser.ts';

/** What new people are greeted with, and the settings that they start with. */
export const newcomers: Area = {
  name: 'newcomers',
  async check(stage) {
    await using olivia = await stage.open('Olivia Owner');
    await olivia.page.goto(`${stage.address}/#administration/new-users`);
    await checkWelcome(stage, olivia);
    await checkDefaults(stage, olivia);
    await assertSound(olivia, 'what new people start with');
  },
};

async function checkWelcome(stage: Stage, { page }: Watched): Promise<void> {
  const form = page.getByRole('form', { name: 'Welcome message' });
  const send = page.getByRole('button', { name: 'Send it to yourself' });
  assert.equal(await send.isDisabled(), true);
  await form.getByLabel('Welcome message').fill('The kettle is on the **third** floor.');
  await send.click();
  await page.getByText('The Welcome Bot has sent you the message.').waitFor();
  const { messages } = await askAs(stage, 'Olivia Owner').get<{ messages: { content: string }[] }>(
    '/messages',
    { narrow: [{ operator: 'is', operand: 'dm' }], anchor: 'newest', num_before: 1, num_after: 0 },
  );
  assert.match(messages[0]?.content ?? '', /<strong>third<\/strong>/);
  assert.equal(await register(stage, 'realm', 'realm_welcome_message_custom_text'), '');
  stage.saw('a welcome message is tried before it is saved');

  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The welcome message has been saved.').waitFor();
  const text = await register(stage, 'realm', 'realm_welcome_message_custom_text');
  assert.equal(text, 'The kettle is on the **third** floor.');
  await page.reload();
  assert.equal(await form.getByLabel('Welcome message').inputValue(), text);
  await form.getByLabel('Welcome message').fill('');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The welcome message has been saved.').waitFor();
  stage.saw('it is saved, and taken back');
}

async function checkDefaults(stage: Stage, { page }: Watched): Promise<void> {
  const clock = page.getByRole('main').getByLabel('Use 24-hour time');
  await clock.check();
  await page
    .getByRole('main')
    .getByLabel('Automatically follow topics', { exact: true })
    .selectOption('Never');
  await untilDefaults(stage, { twenty_four_hour_time: true, automatically_follow_topics_policy: 4 });
  const own = (await register(stage, 'user_settings', 'user_settings')) as Record<string, unknown>;
  assert.equal(own['twenty_four_hour_time'], false, 'nothing changes for who is here');
  await clock.uncheck();
  await untilDefaults(stage, { twenty_four_hour_time: false });
  stage.saw('new people start with other settings, and nobody else has them');
}

/** What a registration says of one thing. */
async function register(stage: Stage, section: string, name: string): Promise<unknown> {
  const by = askAs(stage, 'Olivia Owner');
  const reply = await by.post<Record<string, unknown>>('/register', { fetch_event_types: [section] });
  return reply[name];
}

const untilDefaults = (stage: Stage, expected: Record<string, unknown>): Promise<void> =>
  untilAnswered(async () => {
    const name = 'realm_user_settings_defaults';
    const defaults = (await register(stage, name, name)) as Record<string, unknown>;
    return Object.fromEntries(Object.keys(expected).map((setting) => [setting, defaults[setting]]));
  }, expected);

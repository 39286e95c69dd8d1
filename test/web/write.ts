import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { type Area, type Stage, assertSound } from './area.ts';
import type { Watched } from './browser.ts';

interface Scene {
  alice: Watched;
  bob: Watched;
  stage: Stage;
}

const field = (page: Page) => page.getByLabel('Message', { exact: true });
const row = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });

/** Takes away what the browser says of a failure that this area makes. */
function forgive({ problems }: Watched, said: RegExp): void {
  const at = problems.findIndex((problem) => said.test(problem));
  if (at >= 0) problems.splice(at, 1);
}

async function menu(page: Page, text: string, item: string): Promise<void> {
  await row(page, text).hover();
  await row(page, text).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** What one writes: completed, previewed, kept, sent; and what is done with it afterwards. */
export const write: Area = {
  name: 'write',
  async check(stage) {
    await using alice = await stage.open('Alice Member');
    await using bob = await stage.open('Bob Member');
    for (const { page } of [alice, bob]) {
      await page.getByRole('navigation').getByRole('link', { name: '#general' }).click();
      await page.getByRole('heading', { name: '#general' }).first().waitFor();
    }
    const scene = { alice, bob, stage };
    await completes(scene);
    await pastes(scene);
    await sendsOnce(scene);
    await failsAndIsChanged(scene);
    await uploads(scene);
    await keeps(scene);
    await schedules(scene);
    await changes(scene);
    await asks(scene);
    await assertSound(alice, 'what is written');
  },
};

/** Pastes into the field that is written in. */
async function paste(page: Page, texts: Readonly<Record<string, string>>): Promise<void> {
  await field(page).evaluate((area, given) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(given)) clipboardData.setData(type, text);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    // Where nobody handles it, the browser pastes the text.
    if (area.dispatchEvent(event)) document.execCommand('insertText', false, given['text/plain']);
  }, texts);
}

async function pastes({ alice: { page }, stage: { saw } }: Scene): Promise<void> {
  const text = field(page);
  const reads = async (expected: string) =>
    await page.waitForFunction(
      (value) => document.querySelector<HTMLTextAreaElement>('.compose textarea')?.value === value,
      expected,
    );
  const html = '<ul><li>one <b>thing</b></li><li><a href="https://example.com/">another</a></li></ul>';
  const plain = 'one thing another';
  await text.fill('');
  await paste(page, { 'text/html': html, 'text/plain': plain });
  await reads('- one **thing**\n- [another](https://example.com/)');
  await page.keyboard.press('Control+z');
  await reads(plain);
  await text.fill('see the plan');
  await text.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(8, 12));
  await paste(page, { 'text/plain': 'https://example.com/plan' });
  await reads('see the [plan](https://example.com/plan)');
  await text.fill('```\n');
  await paste(page, { 'text/html': html, 'text/plain': plain });
  await reads(`\`\`\`\n${plain}`);
  await text.fill('');
  saw('what is pasted is Markdown, undoing makes it plain, and an address over words is their link');
}

async function completes({ alice, bob, stage: { saw } }: Scene): Promise<void> {
  const { page } = alice;
  const text = field(page);
  await page.getByLabel('Topic in general').fill('writing');
  await text.click();
  await text.pressSequentially('Hi @bob');
  await page.getByRole('option', { name: 'Bob Member' }).waitFor();
  await page.keyboard.press('Enter');
  await text.pressSequentially('see #gen');
  await page.getByRole('option', { name: '#general' }).waitFor();
  await page.keyboard.press('Tab');
  await text.pressSequentially(':tad');
  await page.getByRole('option', { name: ':tada:' }).waitFor();
  await assertSound(alice, 'suggestions');
  await page.keyboard.press('Enter');
  assert.equal(await text.inputValue(), 'Hi @**Bob Member** see #**general** :tada: ');
  saw('people, channels and emoji are completed while one writes');

  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('region', { name: 'Preview' }).getByText('@Bob Member').waitFor();
  await assertSound(alice, 'the preview');
  await page.getByRole('button', { name: 'Preview' }).click();
  saw('the server shows what a text will look like');

  await text.press('Control+Enter');
  await page.waitForFunction(() => document.querySelector('textarea')?.value === '');
  await row(bob.page, 'see #general').waitFor();
  saw('it is sent, and read at once');

  await bob.page.getByLabel('Topic in general').fill('writing');
  await field(bob.page).pressSequentially('I am');
  await page.getByRole('navigation').getByRole('link', { name: 'writing' }).click();
  await page.getByText('Bob Member is typing').waitFor();
  await field(bob.page).fill('');
  await page.getByText('Bob Member is typing').waitFor({ state: 'detached' });
  saw('who writes is shown to those who read');
}

async function sendsOnce({ alice, bob, stage: { saw } }: Scene): Promise<void> {
  const { page } = alice;
  let lost = 0;
  await page.route('**/json/messages', async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return await route.fallback();
    lost += 1;
    await route.fetch();
    await route.abort('connectionreset');
  });
  await field(page).fill('Said once.');
  await field(page).press('Control+Enter');
  await row(bob.page, 'Said once.').waitFor();
  await page.locator('article[id^=message-]', { hasText: 'Said once.' }).waitFor();
  assert.equal(await row(page, 'Said once.').count(), 1);
  assert.equal(lost, 1);
  await page.unroute('**/json/messages');
  forgive(alice, /ERR_CONNECTION_RESET/);
  saw('a message whose reply was lost is there once');
}

async function failsAndIsChanged({ alice, bob, stage: { saw } }: Scene): Promise<void> {
  const { page } = alice;
  await page.route(
    '**/json/messages',
    async (route) => {
      const body = JSON.stringify({ result: 'error', code: 'BAD_REQUEST', msg: 'Not like this.' });
      await route.fulfill({ status: 400, contentType: 'application/json', body });
    },
    { times: 1 },
  );
  await field(page).fill('Badly said.');
  await field(page).press('Control+Enter');
  await page.getByText('Not sent. Not like this.').waitFor();
  forgive(alice, /Failed to load resource: .* 400 /);
  await assertSound(alice, 'a message that was refused');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  assert.equal(await field(page).inputValue(), 'Badly said.');
  await field(page).fill('Better said.');
  await field(page).press('Control+Enter');
  await row(bob.page, 'Better said.').waitFor();
  assert.equal(await row(page, 'Badly said.').count(), 0);
  saw('a message that is refused can be changed, and sent then');
}

async function uploads({ alice, bob, stage: { saw } }: Scene): Promise<void> {
  const { page } = alice;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/json/user_uploads', async (route) => {
    await held;
    await route.continue();
  });
  await field(page).evaluate((area) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['Three words here.'], 'words.txt', { type: 'text/plain' }));
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await page.getByRole('progressbar', { name: 'Uploading words.txt' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled(), true);
  release();
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  assert.match(await field(page).inputValue(), /^\[words\.txt\]\(\/user_uploads\/\S+\)\n$/);
  await field(page).press('Control+Enter');
  await bob.page.getByRole('link', { name: 'words.txt' }).waitFor();
  // Others may hear of it before its sender has the reply, and what has no reply is kept as a draft.
  await page.locator('article:not(.sending)', { hasText: 'words.txt' }).waitFor();
  saw('a file that is pasted is sent with its progress, and can be had');
}

async function keeps({ alice, stage }: Scene): Promise<void> {
  const { page } = alice;
  await field(page).fill('Not ready yet.');
  await page.reload();
  await field(page).waitFor();
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Not ready yet.');
  await page.route(
    '**/json/events?*',
    async (route) => {
      const body = JSON.stringify({ result: 'error', code: 'BAD_EVENT_QUEUE_ID', msg: 'gone', queue_id: '' });
      await route.fulfill({ status: 400, contentType: 'application/json', body });
    },
    { times: 1 },
  );
  const registered = page.waitForResponse('**/json/register');
  await page.getByRole('link', { name: 'Demo', exact: true }).click();
  await registered;
  forgive(alice, /Failed to load resource: .* 400 /);
  await page.keyboard.press('d');
  await page.getByRole('heading', { name: 'Drafts' }).waitFor();
  await page.getByRole('main').getByText('Not ready yet.').waitFor();
  await assertSound(alice, 'the drafts');
  stage.saw('what was typed is there after a reload and after the queue was lost');

  await using other = await stage.open('Alice Member');
  await other.page.goto(new URL('/#drafts', other.page.url()).href);
  await other.page.getByRole('button', { name: 'Continue' }).click();
  assert.equal(await field(other.page).inputValue(), 'Not ready yet.');
  await field(other.page).fill('Ready now.');
  await page.getByRole('main').getByText('Ready now.').waitFor();
  await field(other.page).press('Control+Enter');
  await page.getByText('You have no drafts.').waitFor();
  stage.saw('a draft goes on in another browser, and is gone when it is sent');
}

async function schedules({ alice, stage: { saw } }: Scene): Promise<void> {
  const { page } = alice;
  await page.getByRole('navigation').getByRole('link', { name: '#general' }).click();
  await page.getByLabel('Topic in general').fill('writing');
  await field(page).fill('For tomorrow.');
  await page.getByRole('button', { name: 'Schedule message' }).click();
  await page.getByRole('button', { name: 'Tomorrow morning' }).waitFor();
  await assertSound(alice, 'when to send');
  await page.getByRole('button', { name: 'Tomorrow morning' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await field(page).inputValue(), '');
  await page.goto(new URL('/#scheduled', page.url()).href);
  const main = page.getByRole('main');
  await main.getByText('For tomorrow.').waitFor();
  await assertSound(alice, 'what is scheduled');
  await main.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Text of scheduled message').fill('For **then**.');
  await main.getByRole('button', { name: 'Save', exact: true }).click();
  await main.getByText('For then.').waitFor();
  await main.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('You have no scheduled messages.').waitFor();
  saw('a message is scheduled, changed and deleted');
}

async function changes({ alice, bob, stage: { saw } }: Scene): Promise<void> {
  const { page } = alice;
  await page.getByRole('navigation').getByRole('link', { name: '#general' }).click();
  await row(page, 'Ready now.').waitFor();
  await row(page, 'Ready now.').focus();
  await page.keyboard.press('e');
  await page.getByLabel('Message text').waitFor();
  await assertSound(alice, 'a message that is edited');
  await page.getByLabel('Message text').fill('Ready at **last**.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await row(bob.page, 'Ready at last.').waitFor();
  saw('a message is edited, and others read what it is now');

  await row(bob.page, 'Ready at last.').hover();
  await row(bob.page, 'Ready at last.').getByRole('button', { name: 'React' }).click();
  await bob.page.getByLabel('Search emoji').fill('rocket');
  await bob.page.getByText(':rocket:', { exact: true }).waitFor();
  await assertSound(bob, 'the emoji picker');
  await bob.page.keyboard.press('Enter');
  await row(page, 'Ready at last.').getByRole('button', { name: 'rocket: Bob Member' }).click();
  await row(bob.page, 'Ready at last.').getByRole('button', { name: 'rocket: You, Alice Member' }).waitFor();
  saw('one reacts, and another with the same');

  await menu(page, 'Ready at last.', 'Move…');
  await page.getByLabel('New topic', { exact: true }).fill('moved');
  await page.getByLabel('Messages to move').selectOption('Only this message');
  await assertSound(alice, 'where to move');
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await bob.page.getByRole('navigation').getByRole('link', { name: 'moved' }).click();
  await row(bob.page, 'Ready at last.').waitFor();
  saw('a message is moved, and is found where it is now');

  await menu(page, 'Ready at last.', 'Delete…');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await row(bob.page, 'Ready at last.').waitFor({ state: 'detached' });
  saw('a message is deleted, for everyone');
}

async function asks({ alice, bob, stage: { saw } }: Scene): Promise<void> {
  for (const { page } of [alice, bob]) {
    await page.getByRole('navigation').getByRole('link', { name: '#general' }).click();
  }
  await alice.page.getByLabel('Topic in general').fill('writing');
  await field(alice.page).fill('/poll Lunch?\nSoup\nBread');
  await field(alice.page).press('Control+Enter');
  await bob.page.getByRole('button', { name: 'Soup: 0' }).click();
  await alice.page.getByRole('button', { name: 'Soup: 1' }).waitFor();
  await bob.page.getByLabel('New option').fill('Fish');
  await bob.page.getByLabel('New option').press('Enter');
  await alice.page.getByRole('button', { name: 'Fish: 0' }).waitFor();
  await assertSound(bob, 'a poll');
  saw('a poll is voted in, and gets another option');
}

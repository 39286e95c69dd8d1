import assert from 'node:assert/strict';

import type { Connection } from '@parley/client';

import { type Area, type Stage, assertSound, inSidebar, said } from './area.ts';
import { askAs, channelId, say, tell } from './as-user.ts';
import type { Watched } from './browser.ts';

const spoiler = '```spoiler The end\nThe gardener did it.\n```';
const code = '```python\nprint(42)\n```';

/** What one reads: what is new, where it is, what it was, and where a link leads. */
export const read: Area = {
  name: 'read',
  async check(stage) {
    const { open, saw, address } = stage;
    const [alice, bob] = [askAs(stage, 'Alice Member'), askAs(stage, 'Bob Member')];
    const channel = await channelId(bob, 'general');
    const topic = (name: string) => `${address}/#narrow/channel/${channel}-general/topic/${name}`;
    await say(bob, 'general', 'line of sight', 'One line, and one more line.');
    await alice.post('/mark_all_as_read');
    for (let number = 1; number <= 40; number += 1) {
      await say(bob, 'general', 'reading', `Line ${number}\n\n> said before\n\n* one\n* two`);
    }
    await tell(bob, stage.demos.demo('Alice Member').user_id, 'Between us.');
    await say(bob, 'random', 'other', 'Hey @**Alice Member**, look.');

    await using reader = await open('Alice Member');
    const reading = { saw, address, reader, page: reader.page, alice, bob, topic };
    await readUnread(reading);
    await readMessages(reading);
    await search(reading);
    await searchByConversation(reading);
    await searchMuted(reading, stage);
    await searchAgain(reading);
    await readViews(reading);
    // Other areas begin with nothing unread.
    for (const person of [alice, bob]) await person.post('/mark_all_as_read');
  },
};

type Reading = Pick<Stage, 'saw' | 'address'> & {
  reader: Watched;
  page: Watched['page'];
  alice: Connection;
  bob: Connection;
  /** The address of a topic of the channel "general". */
  readonly topic: (name: string) => string;
};

async function readUnread({ reader, page, alice, topic, saw }: Reading): Promise<void> {
  const unread = async () => {
    type Registered = { unread_msgs: { count: number } };
    const params = { event_types: ['message', 'update_message_flags'] };
    return (await alice.post<Registered>('/register', params)).unread_msgs.count;
  };
  const before = await unread();
  await page.goto(topic('reading'));
  await page.getByText('New messages', { exact: true }).waitFor();
  await said(page, 'Line 1').first().waitFor();
  assert.equal(await said(page, 'Line 40').isVisible(), false);
  await page.getByRole('button', { name: /^Newest/ }).click();
  await said(page, 'Line 40').first().waitFor();
  await page.locator('article.unread').filter({ hasText: 'Line 40' }).waitFor({ state: 'detached' });
  const left = await unread();
  assert.ok(left < before && left > before - 40, `${before} unread, then ${left}`);
  saw('a topic begins at what is new, and what was in view is read, and no more');
  await assertSound(reader, 'a topic');

  await page.keyboard.press('n');
  await page.getByRole('heading', { name: '#random › other' }).waitFor();
  await page.keyboard.press('p');
  await page.getByRole('heading', { name: 'Bob Member', exact: true }).waitFor();
  await said(page, 'Between us.').first().waitFor();
  saw('keys lead to the next unread topic and conversation');
}

async function readMessages({ reader, page, bob, topic, saw }: Reading): Promise<void> {
  const id = await say(bob, 'general', 'plot', spoiler);
  await say(bob, 'general', 'plot', code);
  await say(bob, 'general', 'plot', '/me bows');
  await page.goto(topic('plot'));
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('The gardener did it.').waitFor();
  await said(page, 'bows').first().waitFor();
  await bob.patch(`/messages/${id}`, { content: `${spoiler}\nor not` });
  await said(page, 'or not').first().getByRole('button', { name: 'edited' }).click();
  await page.getByRole('dialog', { name: 'Edit history' }).getByText('or not').waitFor();
  await assertSound(reader, 'the history of a message');
  await page.keyboard.press('Escape');
  saw('spoilers open, code and actions are laid out, edits are shown');

  await bob.patch(`/messages/${id}`, { topic: 'solved', propagate_mode: 'change_all' });
  await page.goto(`${topic('plot')}/near/${id}`);
  await page.getByRole('heading', { name: '#general › solved' }).waitFor();
  await page.locator(`#message-${id}.selected`).waitFor();
  saw('a link to a message that has moved leads to where it is');
}

async function search({ reader, page, saw }: Reading): Promise<void> {
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search' });
  await page.getByRole('button', { name: /^Remove filter topic/ }).click();
  await page.getByRole('heading', { name: '#general', exact: true }).waitFor();
  await field.fill('sen');
  await page.getByRole('option', { name: /^sender:/ }).click();
  await field.pressSequentially('bob');
  await page.getByRole('option', { name: 'sender: Bob Member' }).click();
  await field.pressSequentially('gardener');
  await field.press('Enter');
  await page.getByRole('heading', { name: 'Search' }).waitFor();
  await said(page, 'The end').first().waitFor();
  await assertSound(reader, 'a search');
  await field.fill('gardenner -zebra');
  await field.press('Enter');
  await page.getByText('No messages contain “gardenner”. Showing results for: gardener.').waitFor();
  await page.getByRole('button', { name: 'Remove filter -zebra' }).waitFor();
  await said(page, 'The end').first().waitFor();
  await field.fill('bo');
  await page.getByRole('option', { name: 'sender: Bob Member' }).waitFor();
  saw('searches correct typing errors, leave words out, and complete names');
  await field.fill('colour:red');
  await field.press('Enter');
  await page.getByText('“colour” isn’t a search operator.').waitFor();
  saw('searches are chips, completed, and wrong ones are told');
}

/** Goes to a topic, and searches for something everywhere. */
async function searchFor({ page, topic }: Reading, words: string): Promise<void> {
  await page.goto(topic('solved'));
  await page.getByRole('heading', { name: '#general › solved' }).waitFor();
  for (const term of ['topic', 'channel']) {
    await page.keyboard.press('/');
    await page.getByRole('button', { name: new RegExp(`^Remove filter ${term}`) }).click();
  }
  const field = page.getByRole('combobox', { name: 'Search' });
  await field.fill(words);
  await field.press('Enter');
}

/** Results by conversation, with the way there and back. */
async function searchByConversation(reading: Reading): Promise<void> {
  const { reader, page, saw } = reading;
  await searchFor(reading, 'line');
  await said(page, 'Line 40').first().waitFor();
  await page.getByLabel('Group by conversation').check();
  const results = page.getByRole('region', { name: 'Search results' });
  const first = results.getByRole('heading').first();
  await first.filter({ hasText: /general.*reading/ }).waitFor();
  await page.getByLabel('Order', { exact: true }).selectOption('Most relevant first');
  await first.filter({ hasText: 'line of sight' }).waitFor();
  await results.getByRole('button', { name: /^Show all \d+/ }).click();
  await results.locator('.rendered .highlight').first().waitFor();
  await assertSound(reader, 'results by conversation');
  const seventh = results.getByRole('listitem').filter({ hasText: /Line 7\b/ });
  await seventh.getByRole('link').first().click();
  await page.locator('article.selected').filter({ hasText: 'Line 7' }).waitFor();
  await page.getByRole('link', { name: 'Back to search results' }).click();
  await seventh.waitFor();
  await page.waitForFunction(
    (one) => {
      const { top, bottom } = one?.getBoundingClientRect() ?? { top: -1, bottom: 0 };
      return top >= 0 && bottom <= innerHeight;
    },
    await seventh.elementHandle(),
  );
  saw('results are grouped by conversation, lead there, and one comes back to where one was');
}

/** Whoever has muted somebody does not read them in results either. */
async function searchMuted({ page, alice, saw }: Reading, { demos }: Stage): Promise<void> {
  const muted = `/users/me/muted_users/${demos.demo('Bob Member').user_id}`;
  const results = page.getByRole('region', { name: 'Search results' });
  const seventh = results.getByRole('listitem').filter({ hasText: /Line 7\b/ });
  await alice.post(muted);
  await seventh.waitFor({ state: 'detached' });
  assert.equal(await results.getByText('Bob Member').count(), 0);
  await results.getByRole('button', { name: 'Show message from a muted person' }).first().waitFor();
  await alice.delete(muted);
  await seventh.waitFor();
  await page.getByLabel('Group by conversation').uncheck();
  await said(page, 'Line 40').first().waitFor();
  saw('messages of somebody who is muted are hidden among results');
}

/** What was searched for before, and what one keeps. */
async function searchAgain({ page, topic, saw }: Reading): Promise<void> {
  const suggested = async (says: string) => {
    await page.goto(topic('reading'));
    await page.getByRole('heading', { name: '#general › reading' }).waitFor();
    await page.getByRole('combobox', { name: 'Search' }).focus();
    await page.getByRole('option', { name: `line ${says}` }).click();
    await page.getByRole('heading', { name: 'Search' }).waitFor();
    await said(page, 'Line 40').first().waitFor();
  };
  await suggested('Recent search');
  saw('the field suggests what was searched for before');
  await page.getByRole('button', { name: 'Save search' }).click();
  await page.getByRole('button', { name: 'Remove saved search' }).waitFor();
  await suggested('Saved search');
  await page.getByRole('button', { name: 'Remove saved search' }).click();
  await page.getByRole('button', { name: 'Save search' }).waitFor();
  await suggested('Recent search');
  saw('and what one keeps, until one keeps it no more');
}

async function readViews({ reader, page, address, saw }: Reading): Promise<void> {
  await page.goto(`${address}/#narrow/is/mentioned`);
  await said(page, 'Hey @Alice Member, look.').first().waitFor();
  await page.goto(`${address}/#feed`);
  await page.getByRole('heading', { name: 'Combined feed' }).waitFor();
  await page.getByRole('article').first().waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('k');
  await page.locator('article.selected').waitFor();
  await assertSound(reader, 'the combined feed');
  await inSidebar(page, 'Starred').click();
  await page.getByText('You have no starred messages.').waitFor();
  saw('mentions, the feed and what is starred are views');
}

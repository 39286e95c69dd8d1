import { type Tx, tables } from '@parley/db';
import { type Actor, type Realm, parseTextField } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, type PendingEvent, limits } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { type NoticeWriter, fenced, noticeEvents } from '../messages/index.ts';

/**
 * Returns events of the first direct message that a new account gets, from the welcome bot. It ends with the realm's
 * own text, or with `customText` instead.
 */
export async function welcomeEvents(
  tx: Tx,
  realm: Realm,
  user: { id: number },
  customText?: string | null,
): Promise<PendingEvent[]> {
  const { realms } = tables;
  const [row] = await tx.select({ name: realms.displayName }).from(realms).where(eq(realms.id, realm.id));
  if (!row) throw new Error(`Realm ${realm.id} does not exist.`);
  const text =
    customText ?? (await model.permissions.getRules(tx, realm.id)).settings.welcome_message_custom_text;
  const write: NoticeWriter = ({ welcome }) =>
    [
      welcome.greeting(row.name),
      welcome.topics,
      ...(text.trim() === '' ? [] : [welcome.note, fenced('quote', text.trim())]),
    ].join('\n\n');
  return await noticeEvents(tx, realm, { users: [user.id] }, write, { bot: 'welcome-bot' });
}

/**
 * Sends the actor the message that new accounts would get if the realm's text was another.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a text that is empty or too long
 */
export async function testWelcome(
  tx: Tx,
  { actor, customText }: { actor: Actor; customText: string },
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const text = parseTextField('welcome_message_custom_text', customText, limits.welcomeTextLength);
  return { events: await welcomeEvents(tx, actor.realm, actor, text) };
}
testWelcome.actionName = 'users.testWelcome' as const;

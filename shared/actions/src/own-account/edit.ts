import type { Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import type { ActionResult } from '@parley/protocol';

import type { AfterCommit } from '../after-commit.ts';
import { request } from '../email-changes/index.ts';
import { type PasswordChange, type SettingsEdit, changePassword, editSettings } from '../users/index.ts';

export interface OwnAccountEdit extends SettingsEdit {
  /** Null if the address stays. */
  newEmail: string | null;
  /** Null if the password stays. */
  passwords: PasswordChange | null;
}

/**
 * Changes what users can change of their own account, all of it or nothing. A new address is only asked for: it counts
 * when it is confirmed.
 *
 * @throws BAD_REQUEST for a bot, a name or an address that is invalid, taken or not to be changed, or a password that is
 * no longer the one that was checked
 */
export async function edit(
  tx: Tx,
  { actor, newEmail, passwords, ...settings }: { actor: Actor } & OwnAccountEdit,
): Promise<ActionResult & AfterCommit> {
  const jobs = newEmail === null ? [] : await request(tx, actor, newEmail, settings.nowMs);
  const edited = await editSettings(tx, { actor, ...settings });
  const ended = passwords ? await changePassword(tx, actor, passwords) : [];
  return { ...edited, events: [...edited.events, ...ended], jobs };
}
edit.actionName = 'ownAccount.edit' as const;

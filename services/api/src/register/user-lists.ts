import type { Tx } from '@parley/db';
import { takeBreak } from '@parley/kit';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type Client, presentUnknown } from '@parley/protocol';

import type { OwnEntry, SharedState, UserLists } from '../endpoint/registrations.ts';
import { ownText } from '../http/json-text.ts';

/** So many people are read and written before others have a turn. */
const peopleAtOnce = 1000;

/** Returns the lists of users, which all of a role see alike, but for their own entries and some guests. */
export async function readUserLists(
  tx: Tx,
  actor: Actor,
  client: Client,
  state: SharedState,
): Promise<UserLists> {
  if (await model.users.hasOwnUserLists(tx, actor)) {
    return await readGuestLists(tx, actor, client, await state.listUserIds(tx));
  }
  return await state.userLists(
    tx,
    model.users.userListViewer(actor, client),
    await readOwnEntry(tx, actor, client),
  );
}

async function readOwnEntry(tx: Tx, actor: Actor, client: Client): Promise<OwnEntry | null> {
  if (model.realms.isSpectator(actor)) return null;
  const [own = '', asOthers = ''] = (await model.users.ownEntries(tx, actor, client)).map((entry) =>
    JSON.stringify(entry),
  );
  return { id: actor.id, own, asOthers };
}

/** Returns the lists of a guest who may not access everybody: theirs alone. */
async function readGuestLists(tx: Tx, actor: Actor, client: Client, allIds: number[]): Promise<UserLists> {
  const inaccessible = await model.access.inaccessibleUserIds(tx, actor, allIds);
  const accessible = allIds.filter((id) => !inaccessible.has(id));
  const entries: Record<model.users.UserListName, Buffer[]> = {
    realm_users: [],
    realm_non_active_users: [],
    cross_realm_bots: [],
  };
  const add = (name: model.users.UserListName, users: readonly object[]) => {
    if (users.length === 0) return;
    const comma = entries[name].length > 0 ? ',' : '';
    entries[name].push(Buffer.from(comma + JSON.stringify(users).slice(1, -1)));
  };
  const viewer = model.users.userListViewer(actor, client);
  for (let first = 0; first < accessible.length; first += peopleAtOnce) {
    const ids = accessible.slice(first, first + peopleAtOnce);
    const { rows, profiles } = await model.users.readShownUsers(tx, actor.realm.id, ids);
    for (const name of model.users.userListNames) {
      const listed = rows.filter((row) => model.users.userListOf(row) === name);
      add(
        name,
        listed.map((row) => model.users.presentListed(row, viewer, profiles, actor)),
      );
    }
  }
  const unknown = client.user_list_incomplete ? [] : [...inaccessible];
  for (let first = 0; first < unknown.length; first += peopleAtOnce) {
    const ids = unknown.slice(first, first + peopleAtOnce);
    add(
      'realm_users',
      ids.map((id) => presentUnknown(id, viewer.emailDomain)),
    );
    await takeBreak();
  }
  const textOf = (name: model.users.UserListName) =>
    ownText(Buffer.concat([Buffer.from('['), ...entries[name], Buffer.from(']')]));
  return {
    realm_users: textOf('realm_users'),
    realm_non_active_users: textOf('realm_non_active_users'),
    cross_realm_bots: textOf('cross_realm_bots'),
  };
}

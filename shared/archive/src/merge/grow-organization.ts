import * as actions from '@parley/actions';
import type { Engine } from '@parley/engine';
import { pause } from '@parley/kit';
import { type Actor, type Realm, actorOf } from '@parley/model';
import * as model from '@parley/model';
import { botTypes, roles } from '@parley/protocol';

import { refused } from '../read/refused.ts';
import type { Growth } from './growth.ts';

/**
 * Makes an organization larger by what an archive has more, on behalf of its first owner: each by the action that the API has
 * for it, but that nothing is announced.
 *
 * @throws ArchiveRefused if it has no owner
 */
export async function growOrganization(engine: Engine, realm: Realm): Promise<Growth> {
  const perform = gently(engine);
  const owner = await findOwner(engine, realm);
  const operator = model.realms.operatorOf(realm);
  return {
    rest,
    async createAccount({ email, fullName, role, isActive, isBot, botOwnerId }) {
      const { user } = await perform(realm.id, actions.users.create, {
        realm,
        email,
        fullName,
        role,
        isImported: true,
        channels: { withDefaults: false, ids: [] },
        ...(isBot && { botType: botTypes.generic }),
        ...(isBot && botOwnerId !== null && { botOwnerId }),
      });
      if (!isActive && isBot) {
        await perform(realm.id, actions.activation.deactivateBot, { actor: operator, id: user.id });
      } else if (!isActive) {
        await perform(realm.id, actions.activation.deactivate, { actor: operator, userId: user.id });
      }
      return user.id;
    },
    async createChannel({ name, description, isPrivate, sharesHistory }) {
      const { channel } = await perform(realm.id, actions.channels.create, {
        actor: owner,
        channel: { name, description, isPrivate, sharesHistory },
        subscribers: [],
        isAnnounced: false,
        isQuiet: true,
      });
      return channel.id;
    },
    async subscribe(channelId, userIds) {
      await perform(realm.id, actions.channels.addSubscribers, {
        realm,
        channelId,
        userIds: [...userIds],
      });
    },
    async archiveChannel(channelId) {
      await perform(realm.id, actions.channels.archive, { actor: operator, channelId, isQuiet: true });
    },
    async refreshFirstMessage(channelId) {
      await perform(realm.id, actions.channels.refreshFirstMessage, { realm, channelId });
    },
    async changeMessage(id, expected, content) {
      const change = { realm, id, expected, content };
      return (await perform(realm.id, actions.messages.followSource, change)).isDone;
    },
    async removeMessage(id) {
      return (await perform(realm.id, actions.messages.removeAsSource, { realm, id })).isDone;
    },
    async setReaction(messageId, reaction, isThere) {
      await perform(realm.id, actions.reactions.followSource, { realm, messageId, ...reaction, isThere });
    },
    async createEmoji({ name, path, stillPath }) {
      const folder = model.files.emojiFolderOf(path);
      await perform(realm.id, actions.emoji.create, { actor: owner, name, folder, path, stillPath });
    },
    async ensureDirectConversation(people) {
      const db = await engine.dbOf(realm.id);
      return await db.transaction((tx) =>
        actions.conversations.ensureDirectConversation(tx, realm.id, [...people]),
      );
    },
  };
}

/** For so many times as long as a piece of work took, nothing is done after it. */
const restPart = 3;
const restMsMax = 200;

const rest = (workedMs: number) => pause(Math.min(restMsMax, restPart * workedMs));

/**
 * Returns what performs actions with rests between them. Each of them changes what sends are planned by: one after the other,
 * they would have those who send plan again and again.
 */
function gently({ perform }: Pick<Engine, 'perform'>): Engine['perform'] {
  return async (...args) => {
    const startedMs = performance.now();
    const done = await perform(...args);
    await rest(performance.now() - startedMs);
    return done;
  };
}

async function findOwner(engine: Engine, realm: Realm): Promise<Actor> {
  const { sql, db } = await engine.serverOf(realm.id);
  const [owner] = await sql<{ email: string }[]>`
    select email from users where realm_id = ${realm.id} and role = ${roles.owner} and is_active and bot_type is null
    order by id limit 1`;
  const account = owner && (await model.users.findUserByEmail(db, realm.id, owner.email));
  if (account) return actorOf(account, realm);
  throw refused('no_owner', { name: realm.name });
}

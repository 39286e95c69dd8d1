import * as actions from '@parley/actions';
import type { Growth } from '@parley/archive';
import { type Actor, type Realm, actorOf } from '@parley/model';
import * as model from '@parley/model';
import { botTypes, roles } from '@parley/protocol';

import type { Deployment } from './deployment.ts';
import { Refusal } from './refusal.ts';

/**
 * Makes an organization larger by what an archive has more, on behalf of its first owner: each by the action that the API has
 * for it, but that nothing is announced.
 *
 * @throws Refusal if it has no owner
 */
export async function growOrganization(deployment: Deployment, realm: Realm): Promise<Growth> {
  const { engine } = deployment;
  const owner = await findOwner(deployment, realm);
  const operator = model.realms.operatorOf(realm);
  return {
    async createAccount({ email, fullName, role, isActive, isBot, botOwnerId }) {
      const { user } = await engine.perform(realm.id, actions.users.create, {
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
        await engine.perform(realm.id, actions.activation.deactivateBot, { actor: operator, id: user.id });
      } else if (!isActive) {
        await engine.perform(realm.id, actions.activation.deactivate, { actor: operator, userId: user.id });
      }
      return user.id;
    },
    async createChannel({ name, description, isPrivate, sharesHistory }) {
      const { channel } = await engine.perform(realm.id, actions.channels.create, {
        actor: owner,
        channel: { name, description, isPrivate, sharesHistory },
        subscribers: [],
        isAnnounced: false,
        isQuiet: true,
      });
      return channel.id;
    },
    async subscribe(channelId, userIds) {
      await engine.perform(realm.id, actions.channels.addSubscribers, {
        realm,
        channelId,
        userIds: [...userIds],
      });
    },
    async archiveChannel(channelId) {
      await engine.perform(realm.id, actions.channels.archive, { actor: operator, channelId, isQuiet: true });
    },
    async changeMessage(id, expected, content) {
      const change = { realm, id, expected, content };
      return (await engine.perform(realm.id, actions.messages.followSource, change)).isDone;
    },
    async removeMessage(id) {
      return (await engine.perform(realm.id, actions.messages.removeAsSource, { realm, id })).isDone;
    },
    async createEmoji({ name, path, stillPath }) {
      const folder = model.files.emojiFolderOf(path);
      await engine.perform(realm.id, actions.emoji.create, { actor: owner, name, folder, path, stillPath });
    },
    ensureDirectConversation: (people) =>
      engine.db.transaction((tx) =>
        actions.conversations.ensureDirectConversation(tx, realm.id, [...people]),
      ),
  };
}

async function findOwner(deployment: Deployment, realm: Realm): Promise<Actor> {
  const [owner] = await deployment.engine.sql<{ email: string }[]>`
    select email from users where realm_id = ${realm.id} and role = ${roles.owner} and is_active and bot_type is null
    order by id limit 1`;
  if (owner) return actorOf(await deployment.getUser(realm, owner.email), realm);
  throw new Refusal(`${realm.name} has no owner.`, 'Name one: parley user role --help');
}

import * as actions from '@parley/actions';
import type { MessageSender } from '@parley/engine';
import type { Actor, Realm } from '@parley/model';
import * as model from '@parley/model';

import type { Caller } from '../auth/identify.ts';
import { admitIdentified, isPasswordOf, logIn } from '../auth/log-in.ts';
import type { RequestContext } from '../endpoint/context.ts';
import { acceptedLanguage } from '../http/accepted-language.ts';
import type { ReadRequest } from '../http/request.ts';
import type { ServeDeps } from './deps.ts';
import type { Visit } from './visit.ts';

/** What a handler is told of the request itself. */
interface Input extends Pick<ReadRequest, 'files' | 'delivery'> {
  client: string;
}

/** Returns the request as handlers see it. */
export function contextOf(
  { c, line, caller, address }: Visit,
  realm: Realm,
  { client, files, delivery }: Input,
  deps: ServeDeps,
): RequestContext<unknown, Actor | null> {
  const { engine, clock } = deps;
  return {
    actor: caller?.actor ?? null,
    sessionHash: caller?.sessionHash ?? null,
    realm,
    params: {},
    client,
    delivery,
    clock,
    isDevelopment: deps.isDevelopment,
    snapshot: (read) => engine.snapshotAt(realm.id, read),
    perform(action, input) {
      line.action = action.actionName;
      return engine.perform(realm.id, action, input, caller?.verify ? caller.actor : undefined);
    },
    writeWithoutLog: (action, input) => engine.writeWithoutLog(realm.id, action, input),
    sendMessage(recipient, text, mirroredSenderId) {
      line.action = actions.messages.send.actionName;
      const sender = senderOf(realm, caller, mirroredSenderId);
      return engine.sendMessage({ realm, sender, recipient, text });
    },
    auth: authOf(realm, { c, address }, deps),
    invitations: deps.invitations,
    canMail: deps.canMail,
    presences: deps.presences,
    alertWords: engine.alertWords,
    push: deps.push,
    search: deps.search,
    vapidKeyOf: deps.vapidKeyOf,
    exports: deps.exports,
    imports: deps.imports,
    files: {
      received: files,
      store: deps.files.store,
      quotas: deps.files.quotas,
      temporaryPath: (pathId) => deps.files.temporaryPaths.sign(pathId, clock.nowMs()),
    },
    queues: { ...deps.queues, newestEphemeral: () => engine.newestEphemeral(realm.id) },
  };
}

function authOf(
  realm: Realm,
  { c, address }: Pick<Visit, 'c' | 'address'>,
  { engine, clock, limits, auth }: ServeDeps,
): RequestContext<unknown, unknown>['auth'] {
  const signIn = auth.signIn(realm);
  const place = () => ({
    engine,
    clock,
    realm,
    language: acceptedLanguage(c),
    logins: limits.logins({ realm, address }),
    signIn,
  });
  return {
    ...auth,
    signIn,
    logIn: (username, password) => logIn(place(), username, password),
    admit: (identified) => admitIdentified(place(), identified),
    isPasswordOf: (user, password) => isPasswordOf(place(), user, password),
    limitPasswordResets: (email) => auth.passwordResets.take({ realm, address, email }),
  };
}

/**
 * The caller as a sender, or the one in whose name the caller mirrors. The credentials are verified again whenever a
 * message is planned.
 */
function senderOf(realm: Realm, caller: Caller | null, mirroredId: number | undefined): MessageSender {
  if (!caller?.verify) throw new Error('Nobody is sending.');
  const { actor, verify: read } = caller;
  // The key generation is part of it, so that a plan made with a new API key does not serve an old one.
  const key = `${actor.id} ${actor.keyGeneration}`;
  if (mirroredId === undefined) return { key, read };
  return {
    key: `${key} as ${mirroredId}`,
    async read(tx) {
      actions.messages.assertMayForge(await read(tx));
      return await model.users.getActiveActor(tx, realm, mirroredId);
    },
  };
}

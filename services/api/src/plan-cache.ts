import type { Database, Tx } from '@parley/db';
import { type Actor, type Realm, messages } from '@parley/domain';
import type { Sender, Sent } from '@parley/log';
import { LRUCache } from 'lru-cache';

const plansMax = 50_000;

export interface PlannedSender {
  /** `getActor` proves the sender again; it is called whenever the plan at hand is not known to hold. */
  send(sending: Sending): Promise<Sent>;
}

interface Sending {
  realm: Realm;
  actor: Actor;
  getActor(tx: Tx): Promise<Actor>;
  recipient: messages.Recipient;
  text: messages.MessageText;
}

/**
 * Remembers what sending depends on, so that a send is one round trip: the append. The log refuses a plan that is
 * older than the realm's rules, and then it is made again; a plan is never trusted for longer than it is true.
 */
export function createPlannedSender({ db, sender }: { db: Database; sender: Sender }): PlannedSender {
  const plans = new LRUCache<string, messages.SendPlan>({ max: plansMax });

  return {
    send({ realm, actor, getActor, recipient, text }) {
      // The generation is part of the key: a plan proved with a new key says nothing about an old one.
      const key = JSON.stringify([actor.id, actor.keyGeneration, recipient]);
      return sender.send(realm.id, async (isFresh) => {
        const known = isFresh ? undefined : plans.get(key);
        const plan = known ?? (await messages.planSend(db, realm.id, getActor, recipient));
        // The first message of a channel announces itself; the plan of the second is another.
        if (plan.address.newTo === null) plans.set(key, plan);
        return messages.draftMessage(plan, text);
      });
    },
  };
}

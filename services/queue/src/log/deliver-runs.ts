import type { Polls } from '../core/polls.ts';
import type { ReadyEntry } from '../core/ready-entry.ts';
import type { CredentialsStore } from '../queues/credentials-store.ts';
import type { RealmListener } from './realms.ts';

/**
 * Wakes the polls that wait for a run. Polls of users whose credentials an entry of the run revokes, and polls of a lost
 * realm, are handled again like new requests, before anything else is delivered to them. A realm's last entry is delivered
 * first: it says why everyone is refused.
 */
export function deliverRuns<Reply>({ credentials, polls, handle }: DeliverRunsDeps<Reply>): RealmListener {
  const handleAgain = (removed: readonly { reply: Reply }[]) => {
    for (const { reply } of removed) handle(reply);
  };
  return {
    onRun(realm, run) {
      const last = run.find(isLastOfRealm);
      const revoked = run.flatMap((entry) => (entry === last ? [] : entry.revokes));
      credentials.revoke(revoked);
      // Removed before the run is delivered, so that it does not reach them.
      const rechecked = revoked.flatMap((userId) => polls.ofUser(realm.id, userId)).filter(polls.remove);
      polls.wake(realm.id, run);
      handleAgain(rechecked);
      if (!last) return;
      credentials.revoke(last.revokes);
      handleAgain(polls.ofRealm(realm.id).filter(polls.remove));
    },
    onLost(realmId) {
      handleAgain(polls.ofRealm(realmId).filter(polls.remove));
    },
  };
}

const isLastOfRealm = ({ event }: ReadyEntry) => event.type === 'realm' && event['op'] === 'deactivated';

interface DeliverRunsDeps<Reply> {
  credentials: CredentialsStore;
  polls: Polls<Reply>;
  readonly handle: (reply: Reply) => void;
}

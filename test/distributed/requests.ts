import { pause } from '@parley/kit';

import { call } from '../chaos/api-client.ts';
import type { ChaosRealm } from '../chaos/chaos-realm.ts';

const everyMs = 150;

/** What people ask for besides sending: what reads, and what else writes to a log. */
const requests = [
  ['GET', '/messages', { anchor: 'newest', num_before: '20', num_after: '0' }],
  ['POST', '/register', {}],
  ['POST', '/messages/flags/narrow', { ...aroundNewest('[]'), op: 'add', flag: 'read' }],
  ['GET', '/users/me/subscriptions', {}],
  ['POST', '/messages/flags/narrow', { ...aroundNewest('[]'), op: 'add', flag: 'starred' }],
  ['POST', '/messages/flags/narrow', { ...aroundNewest('[]'), op: 'remove', flag: 'starred' }],
  ['POST', '/drafts', { drafts: JSON.stringify([{ type: '', to: [], topic: '', content: 'later' }]) }],
  ['GET', '/messages', aroundNewest('[{"operator":"is","operand":"unread"}]')],
] as const;

function aroundNewest(narrow: string) {
  return { anchor: 'newest', num_before: '5', num_after: '0', narrow };
}

/** Asks for one thing after the other until the signal aborts. Returns each that was answered with 500. */
export async function askSteadily(
  baseUrl: string,
  { members }: ChaosRealm,
  signal: AbortSignal,
): Promise<string[]> {
  const failed: string[] = [];
  for (let number = 0; !signal.aborted; number += 1) {
    const member = members[number % members.length];
    const [method, path, fields] = requests[number % requests.length] ?? requests[0];
    if (!member) break;
    const answer = await call(baseUrl, member.authorization, method, path, fields, signal).catch(() => null);
    if (answer?.status === 500) failed.push(`${method} ${path}`);
    await pause(everyMs, signal);
  }
  return failed;
}

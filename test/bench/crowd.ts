import * as actions from '@parley/actions';

import { performAdHoc } from '../support/perform-ad-hoc.ts';
import type { BenchServers } from './bench-servers.ts';

export interface Crowd {
  channel: string;
  users: { id: number; email: string }[];
}

const usersPerCommit = 10_000;

/**
 * A channel with `size` subscribers. The people are inserted in bulk (nobody listens yet who would have to hear of
 * them); they subscribe as anyone does, through the log.
 */
export async function gatherCrowd({ sql, engine, actor }: BenchServers, size: number): Promise<Crowd> {
  const channel = `crowd of ${size}`;
  const users: Crowd['users'] = [];
  for (let first = 1; first <= size; first += usersPerCommit) {
    const last = Math.min(first + usersPerCommit - 1, size);
    const inserted = await sql<Crowd['users']>`
      insert into users (realm_id, email, full_name, role)
      select ${actor.realm.id}, 'member' || n || '-of-' || ${size}::int || '@bench.example', 'Member ' || n, 400
      from generate_series(${first}::int, ${last}::int) n returning id, email`;
    users.push(...inserted);
  }
  const creates = { isPrivate: false, sharesHistory: true };
  for (let first = 0; first < size; first += usersPerCommit) {
    const principals = users.slice(first, first + usersPerCommit).map(({ id }) => id);
    const newChannel = { name: channel, description: '', color: null };
    await performAdHoc(engine, actor.realm.id, async (tx) => {
      const input = { channels: [newChannel], principals, creates, isStrict: true };
      const { memberships } = await actions.channels.subscribe(tx, { actor, ...input });
      return { events: [], memberships: memberships ?? [] };
    });
  }
  return { channel, users };
}

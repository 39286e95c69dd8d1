import * as actions from '@parley/actions';
import type { Engine } from '@parley/engine';
import { createKeyDigests } from '@parley/http';

const name = 'crowd';

/** Where the organization of the crowd is. */
export const crowdHost = `${name}.localhost`;

/** Founds an organization of so many accounts, in bulk. Nobody uses it: it is there to be attacked. */
export async function foundCrowd({ db, sql }: Engine, secret: string, accounts: number): Promise<void> {
  const { id } = await db.transaction((tx) =>
    actions.realms.create(tx, {
      name,
      displayName: 'The organization of the crowd',
      emailDomain: 'crowd.invalid',
    }),
  );
  await sql`
    insert into users (realm_id, email, full_name, role)
    select ${id}, 'person' || n || '@crowd.example', 'Person ' || n, 400
    from generate_series(1, ${accounts}::int) n`;
  const digests = createKeyDigests([secret]);
  await actions.users.fillAllKeyDigests(sql, digests, { realmIds: null });
}

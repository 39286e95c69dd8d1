import type { Sql } from '@parley/db';
import { ApiError } from '@parley/protocol';

/** The credentials of a queue's owner, as Postgres has them. */
export interface Credentials {
  userId: number;
  email: string;
  /** Number of the user's API key, from which the key is derived. */
  generation: number;
  isGuest: boolean;
  /** The present name of the user's realm. */
  realm: string;
  /** Sessions in browsers: when each ends, by the hash of its token. */
  sessions: ReadonlyMap<string, number>;
  /** The refusal of every request, for an account that is deactivated. */
  refusal: ApiError | null;
}

interface Row {
  id: number;
  email: string;
  key_generation: number;
  role: number;
  is_active: boolean;
  realm: string;
  realm_is_active: boolean;
  sessions: [hash: string, expiresMs: number][];
}

/** Most of many thousand users have none in a browser. */
const noSessions: ReadonlyMap<string, number> = new Map();

/** Finds the credentials of users by id, among those of some realms or of all. Users who do not exist are missing from the result. */
export async function findCredentials(
  sql: Sql,
  userIds: number[],
  realmIds?: number[],
): Promise<Map<number, Credentials>> {
  const ofAll = sql<Row[]>`
    select u.id, u.email, u.key_generation, u.role, u.is_active, r.name as realm, r.is_active as realm_is_active,
      coalesce((
        select json_agg(json_build_array(s.token_hash, floor(extract(epoch from s.expires_at) * 1000)))
        from sessions s where s.realm_id = u.realm_id and s.user_id = u.id and s.key_generation = u.key_generation
      ), '[]') as sessions
    from users u join realms r on r.id = u.realm_id where u.id = any(${userIds})`;
  // Where a database is divided, no server is asked but those that hold the realms.
  const rows = await (realmIds ? sql<Row[]>`${ofAll} and u.realm_id = any(${realmIds})` : ofAll);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        userId: row.id,
        email: row.email,
        generation: row.key_generation,
        isGuest: row.role === 600,
        realm: row.realm,
        sessions: row.sessions.length === 0 ? noSessions : new Map(row.sessions),
        refusal: refusalOf(row),
      },
    ]),
  );
}

function refusalOf({ is_active, realm_is_active }: Row): ApiError | null {
  if (!realm_is_active) return new ApiError('UNAUTHORIZED', 'This organization has been deactivated.');
  if (!is_active) return new ApiError('UNAUTHORIZED', 'This account is deactivated.');
  return null;
}

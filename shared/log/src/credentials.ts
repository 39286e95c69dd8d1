import type { Sql } from '@parley/db';
import { ApiError } from '@parley/protocol';

/** What is needed to tell whether a request comes from the owner of a queue. */
export interface Credentials {
  userId: number;
  email: string;
  /** The user's API key is derived from it. */
  generation: number;
  isGuest: boolean;
  /** Why this account may not do anything, if it may not. */
  refusal: ApiError | null;
}

interface Row {
  id: number;
  email: string;
  key_generation: number;
  role: number;
  is_active: boolean;
  realm_is_active: boolean;
}

export async function findCredentials(sql: Sql, userIds: number[]): Promise<Map<number, Credentials>> {
  const rows = await sql<Row[]>`
    select u.id, u.email, u.key_generation, u.role, u.is_active, r.is_active as realm_is_active
    from users u join realms r on r.id = u.realm_id where u.id = any(${userIds})`;
  return new Map(
    rows.map((row) => [
      row.id,
      {
        userId: row.id,
        email: row.email,
        generation: row.key_generation,
        isGuest: row.role === 600,
        refusal: refusalOf(row),
      },
    ]),
  );
}

function refusalOf({ is_active, realm_is_active }: Row): ApiError | null {
  if (!realm_is_active) return new ApiError('UNAUTHORIZED', 'This organization has been deactivated');
  if (!is_active) return new ApiError('UNAUTHORIZED', 'Account is deactivated');
  return null;
}

import type { Sql } from '@parley/db';

/** Uploads that one statement looks for. */
const pathsPerStep = 10_000;

/** The ids here of the uploads of an archive, and of which of them there are rows. */
export interface Uploads {
  ids: Map<number, number>;
  here: Set<number>;
}

/** Numbers the uploads of an archive, by their paths in it. One that is here, from an earlier archive, keeps its id. */
export async function numberUploads(
  sql: Sql,
  realmId: number,
  archivedRealmId: number,
  paths: ReadonlyMap<number, string>,
): Promise<Uploads> {
  const uploads: Uploads = { ids: new Map(), here: new Set() };
  const all = [...paths];
  for (let start = 0; start < all.length; start += pathsPerStep) {
    const some = all.slice(start, start + pathsPerStep);
    const rows = await sql<{ archived: number; id: number; isHere: boolean }[]>`
      select p.archived, coalesce(a.id, nextval('attachments_id_seq')) as id, a.id is not null as "isHere"
      from unnest(
        ${some.map(([id]) => id)}::bigint[],
        ${some.map(([, path]) => path.replace(new RegExp(`^${archivedRealmId}/`), `${realmId}/`))}::text[]
      ) p (archived, path)
      left join attachments a on a.realm_id = ${realmId} and a.path_id = p.path`;
    for (const { archived, id, isHere } of rows) {
      uploads.ids.set(Number(archived), Number(id));
      if (isHere) uploads.here.add(Number(id));
    }
  }
  return uploads;
}

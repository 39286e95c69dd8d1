/**
 * Where the tables of the deployment are in a distributed database. All others belong to organizations: each of their rows
 * is on the server of its organization, by `realm_id`.
 */
export const placements: Readonly<Record<string, { on: 'every server' | 'the coordinator'; why: string }>> = {
  realms: { on: 'every server', why: 'tables of organizations refer to it, and are read together with it' },
  former_realm_names: {
    on: 'every server',
    why: 'it is read with the names of organizations, and seldom written',
  },
  realm_imports: {
    on: 'the coordinator',
    why: 'an import chooses the number of an organization that is nowhere yet',
  },
  loose_folders: {
    on: 'the coordinator',
    why: 'one sweep reads it, of files that no organization has any more',
  },
};

/** A trigger that a distributed database does without, because its ids are drawn by `draw_id`, which does the same. */
export const replacedTriggers: readonly string[] = ['skip_audience_ids'];

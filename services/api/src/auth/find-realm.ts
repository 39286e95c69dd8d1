import type { Database } from '@parley/db';
import { realmOfHost } from '@parley/http';
import { SmallCache } from '@parley/kit';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';

export interface RealmFinder {
  /**
   * Finds the realm that a Host header names.
   * @throws NONEXISTENT_SUBDOMAIN {RealmMoved}
   */
  find(host: string | undefined): Promise<Realm>;
  /** Like `find`, but null at a bare host that is no organization's. */
  findUnlessRoot(host: string | undefined): Promise<Realm | null>;
  /** Forgets a realm that has been renamed. */
  forget(realm: Realm): void;
}

/** The realm that was asked has been renamed since it was remembered. */
export class RealmRenamed extends ApiError<'SERVER_NOT_READY'> {
  readonly realm: Realm;
  constructor(realm: Realm) {
    super('SERVER_NOT_READY', 'The address of this organization is changing right now. Please try again.');
    this.realm = realm;
  }
}

/** The refusal at an address that the organization had before it was renamed. It redirects to the present one. */
class RealmMoved extends ApiError<'NONEXISTENT_SUBDOMAIN'> {
  override readonly status = 308;
  private readonly url: string;
  constructor(url: string) {
    super('NONEXISTENT_SUBDOMAIN', `This organization has moved to ${url}.`);
    this.url = url;
  }

  /** The header that redirects a request to the same path at the present address. */
  locationOf(requested: string): Record<string, string> {
    const { pathname, search } = new URL(requested);
    return { Location: `${this.url}${pathname}${search}` };
  }
}

/** Returns the headers that an error adds to the reply to a request: those of a redirect, if it is one. */
export const redirectHeaders = (error: unknown, requested: string): Record<string, string> =>
  error instanceof RealmMoved ? error.locationOf(requested) : {};

const noOrganization = () =>
  new ApiError('NONEXISTENT_SUBDOMAIN', 'There is no organization at this address.');

/** A renamed realm may be found under its old name for so long, by requests without credentials. */
const rememberedMs = 10_000;

interface RealmFinderDeps {
  db: Database;
  site: model.realms.Site;
}

export function createRealmFinder({ db, site }: RealmFinderDeps): RealmFinder {
  // Whether a realm is active, and still has this name, is read with every authentication.
  const realms = new SmallCache<string, Realm>(10_000, { ttl: rememberedMs });

  async function lookUp(name: string): Promise<Realm | null> {
    const cached = realms.get(name);
    if (cached) return cached;
    if (name.includes('\0')) return null;
    const row = await model.realms.findRealm(db, name);
    if (!row) {
      const renamed = await model.realms.findRenamedRealm(db, name);
      const moved = renamed && model.realms.realmAt(renamed, site);
      if (moved) throw new RealmMoved(moved.url);
    }
    const realm = row ? model.realms.realmAt(row, site) : null;
    if (realm) realms.set(realm.name, realm);
    return realm;
  }

  async function findUnlessRoot(host: string | undefined): Promise<Realm | null> {
    const name = realmOfHost(host, site);
    const realm = name === null ? null : await lookUp(name);
    if (!realm && name !== site.rootRealm) throw noOrganization();
    return realm;
  }

  return {
    findUnlessRoot,
    async find(host) {
      const realm = await findUnlessRoot(host);
      if (!realm) throw noOrganization();
      return realm;
    },
    forget: ({ name }) => void realms.delete(name),
  };
}

import { readFileSync } from 'node:fs';

/** Which Redis servers there are, and how to reach them. */
export interface RedisServers {
  kind: 'alone' | 'sentinel' | 'cluster';
  /** Of the server; of the sentinels; of some nodes of the cluster, which say who the others are. */
  hosts: { host: string; port: number }[];
  /** The name by which the sentinels know the master. */
  master?: string;
  username?: string;
  password?: string;
  sentinelPassword?: string;
  db: number;
  /** Undefined for connections without TLS. */
  tls?: { ca?: Buffer };
}

const form =
  /^redis(?<tls>s)?(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<user>[^:@/?]*)(?::(?<password>[^@/?]*))?@)?(?<hosts>[^@/?]+)(?:\/(?<path>[^?]*))?(?:\?(?<query>.*))?$/i;
const ports = { alone: 6379, sentinel: 26_379, cluster: 6379 };

/**
 * Reads where Redis is: `redis://host:6379/0`, `redis+sentinel://host:26379,host:26379/master-name/0` or
 * `redis+cluster://host:6379,host:6379`; with `rediss` instead of `redis`, connections are by TLS. `?ca=FILE` names the
 * certificates that are trusted, `&sentinel_password=` the password of the sentinels.
 *
 * @throws Error that says what a URL is, and does not repeat it: it holds a password
 */
export function parseRedisUrl(url: string): RedisServers {
  const groups = form.exec(url)?.groups;
  if (!groups) throw new Error('REDIS_URL is not the URL of a Redis server, of sentinels or of a cluster.');
  const { user, password, path = '', query = '' } = groups;
  const kind = (groups['kind']?.toLowerCase() ?? 'alone') as RedisServers['kind'];
  const hosts = (groups['hosts'] ?? '').split(',').map((text) => parseHost(text, ports[kind]));
  if (kind === 'alone' && hosts.length > 1)
    throw new Error('REDIS_URL names several servers. Add +sentinel or +cluster to its scheme.');
  const parts = path.split('/').filter(Boolean);
  const master = kind === 'sentinel' ? parts.shift() : undefined;
  if (kind === 'sentinel' && !master) throw new Error('REDIS_URL does not name the master.');
  const db = Number(parts[0] ?? 0);
  if (!Number.isInteger(db) || parts.length > 1)
    throw new Error('The database in REDIS_URL is not a number.');
  if (kind === 'cluster' && db !== 0) throw new Error('A Redis Cluster has no database but 0.');
  const options = new URLSearchParams(query);
  const ca = options.get('ca');
  const sentinelPassword = options.get('sentinel_password');
  return {
    kind,
    hosts,
    db,
    ...(master && { master: decodeURIComponent(master) }),
    ...(user && { username: decodeURIComponent(user) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(sentinelPassword && { sentinelPassword }),
    ...(groups['tls'] && { tls: ca ? { ca: readFileSync(ca) } : {} }),
  };
}

function parseHost(text: string, port: number): { host: string; port: number } {
  const [, ipv6, host = ipv6, given] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (!host) throw new Error('A host in REDIS_URL is malformed.');
  return { host, port: given ? Number(given) : port };
}

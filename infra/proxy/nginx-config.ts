import {
  answerSecondsMax,
  arrivalSecondsMax,
  bodyMebibytesMax,
  connectMsMax,
  eventsPaths,
  headerKibibytesMax,
  otherFiles,
  streamedPaths,
} from './limits.ts';
import { refusals, saysWhen, type Refusal } from './refusals.ts';

/** What differs between the places where nginx runs in front of the nodes. How it routes and retries does not. */
export interface NginxConfig {
  /** The address of everything. */
  listen: string;
  /** A second address, on loopback, for requests that must not be repeated. */
  listenOnce: string;
  /** Addresses of the nodes. A name may stand for several. */
  api: readonly string[];
  queue: readonly string[];
  /** Addresses at which nodes may come later. They are tried about once a second. */
  spare: { api: readonly string[]; queue: readonly string[] };
  workers: number | 'auto';
  /** Addresses from which it connects to nodes, in equal shares; fewer than two leave that to the system. */
  sources: readonly string[];
  connectionsPerWorker: number;
  /** Requests at once, parked polls included. */
  connectionsPerAddress: number;
  /** Directives that name proxies in front of this one. Of a request of theirs, the address is that of their client. */
  trustedProxies: readonly string[];
  /** Whether clients may say which trace a request belongs to. */
  takesTraces: boolean;
  /** Whether it stays in the foreground and keeps its files in the folder that it is started with. */
  isSupervised: boolean;
}

/** How nginx routes to nodes, retries, bounds and refuses. */
export function nginxConfig(config: NginxConfig): string {
  return `${mainSettings(config)}
http {
${httpSettings(config)}
${maps}
${bindings(config.sources)}${upstream('api', '', config.api, config.spare.api)}
${upstream('queue', byPlace(config.spare.queue), config.queue, config.spare.queue)}
${upstream('once', '', [config.listenOnce])}

${publicServer(config)}

${onceServer(config)}
}
`;
}

function mainSettings({ workers, connectionsPerWorker, isSupervised }: NginxConfig): string {
  // At other levels it would say of every spare address that nobody listens there.
  const supervised = 'daemon off;\npid nginx.pid;\nerror_log stderr crit;\n';
  return `${isSupervised ? supervised : ''}worker_processes ${workers};
worker_rlimit_nofile ${connectionsPerWorker + otherFiles};

events {
  worker_connections ${connectionsPerWorker};
}
`;
}

const ownFolders = `  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path unused;
  uwsgi_temp_path unused;
  scgi_temp_path unused;
`;

const realAddresses = (directives: readonly string[]) =>
  directives.length === 0
    ? ''
    : `
  # What a trusted proxy says of its client counts as the client's address, here and for the nodes.
  real_ip_header X-Forwarded-For;
  real_ip_recursive on;
  ${directives.join('\n  ')}
`;

const httpSettings = ({
  isSupervised,
  trustedProxies,
}: NginxConfig) => `${isSupervised ? ownFolders : ''}  access_log off;
  server_tokens off;
  default_type application/json;

  keepalive_timeout 600s;
  keepalive_requests 1000000;
  client_max_body_size ${bodyMebibytesMax.default}m;
  client_body_buffer_size 64k;
  client_header_timeout ${arrivalSecondsMax}s;
  client_body_timeout ${arrivalSecondsMax}s;
  limit_conn_zone $binary_remote_addr zone=addresses:10m;
  limit_conn_status 429;
  # A browser's head does not fit into the usual kibibyte. A longer one has a buffer of its own as long as its poll waits.
  client_header_buffer_size 2k;
  large_client_header_buffers 4 ${headerKibibytesMax}k;

  proxy_http_version 1.1;
  # A response is passed on as it arrives. A request is read completely first, so that it can be sent again.
  proxy_buffering off;
  proxy_buffer_size 16k;
  proxy_buffers 8 16k;
  proxy_connect_timeout ${connectMsMax}ms;
  proxy_read_timeout ${answerSecondsMax}s;
  # Requests that are safe to repeat are repeated on another node; POST and PATCH only if nothing was sent.
  proxy_next_upstream error timeout;
${realAddresses(trustedProxies)}`;

const maps = `  # HTTP/1.0 clients may send no Host; nodes require one.
  map $http_host $sent_host {
    '' $host;
    default $http_host;
  }

  # A GET without a queue registers one.
  map $request_method:$arg_queue_id $events_pool {
    default queue;
    'GET:' api;
  }

  # Ids of queues begin with their realm and a bucket, up to a hyphen: polls of a bucket go to one node while it is up,
  # so that not every node follows every realm's log. Any node serves any queue.
  map $arg_queue_id $queue_place {
    default $arg_queue_id;
    '' $request_id;
    '~^(?<place_in_id>[^-]+)-' $place_in_id;
  }

  # nginx would repeat other methods, such as PUT and DELETE, but they are no safer than POST. So they take one
  # more hop, as POST, through a server that restores their method.
  map $request_method $is_once {
    default 1;
    GET ''; HEAD ''; OPTIONS ''; POST ''; PATCH '';
  }
  map $is_once $sent_method { default $request_method; 1 POST; }

  map $uri $pool { default api; ${eventsPaths.map((path) => `${path} $events_pool;`).join(' ')} }
  map $is_once $target { default $pool; 1 once; }
  map $uri $once_pool { default api; ${eventsPaths.map((path) => `${path} queue;`).join(' ')} }

  # nginx tries each node once per round. A parked poll may outlive all nodes: by the time the last one ends,
  # the first one is back.
  map $request_method $first_retry { default /_proxy/503; GET @round1; HEAD @round1; OPTIONS @round1; }
  recursive_error_pages on;
`;

function bindings(sources: readonly string[]): string {
  if (sources.length < 2) return '';
  const share = (100 / sources.length).toFixed(2);
  const lines = sources.map((address, index) => `${index === 0 ? '*' : `${share}%`} ${address};`).reverse();
  return `  split_clients $request_id $source { ${lines.join(' ')} }
  proxy_bind $source;

`;
}

// "consistent" puts names on its ring, and Compose has one name for all nodes. Where each has its own, and some of them are
// not there, it spreads places as evenly as can be: otherwise one node of twelve, with room for four more, gets twice as many.
const byPlace = (spare: readonly string[]) => `hash $queue_place${spare.length > 0 ? ' consistent' : ''};`;

function upstream(
  name: string,
  method: string,
  addresses: readonly string[],
  spare: readonly string[] = [],
): string {
  // Without max_fails=0, one failure would exclude a node for ten seconds. nginx requires at least one server.
  const servers = addresses.map((address) => `server ${address} max_fails=0;`);
  servers.push(...spare.map((address) => `server ${address} max_fails=1 fail_timeout=1s;`));
  if (servers.length === 0) servers.push('server 127.0.0.1:9 down;');
  // Idle connections are closed before the nodes close them (Node: after 5 s), so that no POST is sent on a closing
  // connection.
  return `  upstream ${name} {${method && `\n    ${method}`}
    ${servers.join('\n    ')}
    keepalive 256;
    keepalive_requests 1000000;
    keepalive_timeout 4s;
  }`;
}

// Every server block needs these lines, because a block that sets a header inherits none.
const proxiedHeaders = `    proxy_set_header Connection '';
    proxy_set_header Host $sent_host;`;

const withoutTraces = `
    proxy_set_header traceparent '';
    proxy_set_header tracestate '';`;

function publicServer({ listen, connectionsPerAddress, takesTraces }: NginxConfig): string {
  return `  server {
    listen ${listen} reuseport backlog=4096;
${proxiedHeaders}
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Request-Id $request_id;${takesTraces ? '' : withoutTraces}
    proxy_set_header X-Parley-Method $request_method;
    proxy_method $sent_method;
    ${errorPages(notReadyPage)}
    limit_conn addresses ${connectionsPerAddress};
${locations()}
${rounds()}
${errorLocations()}
  }`;
}

const onceServer = ({ listenOnce }: NginxConfig) => `  server {
    listen ${listenOnce};
${proxiedHeaders}
    proxy_set_header X-Forwarded-For $http_x_forwarded_for;
    proxy_set_header X-Parley-Method '';
    proxy_method $http_x_parley_method;
    client_max_body_size 0;
    ${errorPages(notReadyPage)}
    location / { proxy_pass http://$once_pool; }
${errorLocations()}
  }`;

function locations(): string {
  const { default: mebibytes, ...larger } = bodyMebibytesMax;
  const blocks = [['/', mebibytes] as const, ...Object.entries(larger)].map(([path, max]) => {
    const place = path === '/' ? '/' : path.endsWith('/') ? `~ ^${path}` : `= ${path}`;
    return `    location ${place} {
      client_max_body_size ${max}m;${streamedPaths.has(path) ? '\n      proxy_request_buffering off;' : ''}
      proxy_pass http://$target;
      ${errorPages('$first_retry')}
    }`;
  });
  return blocks.join('\n');
}

// nginx ends a request after ten internal redirects.
const roundsMax = 6;
const notReadyPage = pageOf(refusals.notReady);

function rounds(): string {
  const numbers = Array.from({ length: roundsMax }, (_, index) => index + 1);
  const locations = numbers.map((number) => {
    const next = number === roundsMax ? notReadyPage : `@round${number + 1}`;
    return `    location @round${number} {
      proxy_pass http://$target;
      ${errorPages(next)}
    }`;
  });
  return locations.join('\n');
}

function pageOf({ status }: Refusal): string {
  return `/_proxy/${status}`;
}

/** Pages for the errors that nginx itself makes. `whenNodesFail` is used when no node of the pool answered. */
function errorPages(whenNodesFail: string): string {
  const { badRequest, methodNotAllowed, bodyTooLarge, urlTooLong, headersTooLarge, tooManyConnections } =
    refusals;
  const pages = [
    ['400 408 411 417 421 495 496 497 501 505', badRequest],
    ['405', methodNotAllowed],
    ['413', bodyTooLarge],
    ['414', urlTooLong],
    ['494', headersTooLarge],
    ['429', tooManyConnections],
    ['500 503 504', refusals.notReady],
  ] as const;
  const lines = pages.map(([codes, refusal]) => `error_page ${codes} =${refusal.status} ${pageOf(refusal)};`);
  return [...lines, `error_page 502 = ${whenNodesFail};`].join('\n      ');
}

function errorLocations(): string {
  const locations = Object.values(refusals).map((refusal) => {
    const more = saysWhen.has(refusal.status) ? 'add_header Retry-After 1 always; ' : '';
    return `    location = ${pageOf(refusal)} { internal; ${more}return ${refusal.status} '${refusal.body}'; }`;
  });
  return locations.join('\n');
}

import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A server before the cluster, through which there may come another build of the client, or nothing at all. */
export interface ChangingFront extends AsyncDisposable {
  address: string;
  /** Serves another build from now on: its page says which one it is. */
  upgrade(build: string): void;
  /** Answers nobody any more, until it is told otherwise. */
  isAway: boolean;
}

/** What stands in the page of a build. */
const markOf = (build: string) => `<meta name="build" content="${build}">`;

export async function startChangingFront(site: string): Promise<ChangingFront> {
  const state = { build: 'first', isAway: false };
  const server = createServer((incoming, answer) => {
    if (state.isAway) incoming.socket.destroy();
    else passOn(site, state.build, incoming, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Safe: it listens to a port.
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    upgrade: (build) => (state.build = build),
    get isAway() {
      return state.isAway;
    },
    set isAway(isAway) {
      state.isAway = isAway;
      if (isAway) server.closeAllConnections();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Passes a request on. The page and the service worker are those of the build that is served. */
function passOn(site: string, build: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const path = incoming.url ?? '/';
  const isOfBuild = path === '/' || path === '/service-worker.js';
  const headers: Record<string, unknown> = { ...incoming.headers, host: new URL(site).host };
  // Its text is changed on the way, and so is its tag.
  if (isOfBuild) for (const name of ['accept-encoding', 'if-none-match']) delete headers[name];
  const outgoing = request(
    new URL(path, site),
    { method: incoming.method, headers: headers as IncomingMessage['headers'] },
    (got) => {
      if (isOfBuild) void change(got, path, build, answer);
      else {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      }
    },
  );
  outgoing.on('error', () => answer.destroy());
  incoming.pipe(outgoing);
}

async function change(
  got: IncomingMessage,
  path: string,
  build: string,
  answer: ServerResponse,
): Promise<void> {
  const body = await text(got);
  const changed =
    path === '/'
      ? body.replace('</head>', `${markOf(build)}</head>`)
      : body.replace(/SHELL_VERSION:`[^`]*`/, `SHELL_VERSION:\`${build}\``);
  const { 'content-length': _, etag: __, ...headers } = got.headers;
  answer.writeHead(got.statusCode ?? 502, headers);
  answer.end(changed);
}

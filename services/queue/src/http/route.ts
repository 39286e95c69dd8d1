import { assertHeadIsValid, drain, methodNotAllowed, readBody } from '@parley/http';
import { ApiError } from '@parley/protocol';

import type { ErrorHandler } from './error-handler.ts';
import type { Exchange } from './exchange.ts';
import type { NodeExchange } from './node-exchange.ts';
import { sendJson } from './send-json.ts';

export type Handle = (exchange: Exchange, query: string, body: string) => void;
/** Handlers by method, for each path. */
type Routes = ReadonlyMap<string, ReadonlyMap<string, Handle>>;

const bodyLimits = { bytesMax: 64 * 1024, msMax: 20_000 };

/** Hands requests to the handlers of their paths and methods. The body of a GET is not read. */
export function createRouter(
  handlers: Readonly<Record<string, Readonly<Record<string, Handle>>>>,
  onError: ErrorHandler,
) {
  const routes: Routes = new Map(
    Object.entries(handlers).map(([path, methods]) => [path, new Map(Object.entries(methods))]),
  );

  function serve(exchange: Exchange): void {
    try {
      route(routes, exchange, '');
    } catch (error) {
      onError(exchange, error);
    }
  }

  async function serveWithBody(exchange: NodeExchange): Promise<void> {
    try {
      const body = await readBody(exchange.incoming, bodyLimits);
      route(routes, exchange, body.toString('utf8'));
    } catch (error) {
      // An answer in the middle of a body would be lost with its connection.
      await drain(exchange.incoming);
      onError(exchange, error);
    }
  }

  return {
    serve,
    serveNode: (exchange: NodeExchange): void => {
      if (exchange.head.method === 'GET') serve(exchange);
      else void serveWithBody(exchange);
    },
  };
}

function route(routes: Routes, exchange: Exchange, body: string): void {
  const { method, url } = exchange.head;
  assertHeadIsValid(exchange.head);
  const questionMark = url.indexOf('?');
  const path = questionMark === -1 ? url : url.slice(0, questionMark);
  const methods = routes.get(path);
  if (!methods) throw new ApiError('NOT_FOUND', 'There is nothing at this address.');
  const handle = methods.get(method === 'HEAD' ? 'GET' : method);
  if (handle) return handle(exchange, questionMark === -1 ? '' : url.slice(questionMark + 1), body);
  const allowed = [...methods.keys(), 'HEAD', 'OPTIONS'].sort().join(', ');
  if (method === 'OPTIONS') exchange.send(204, `Allow: ${allowed}\r\n`, '');
  else sendJson(exchange, 405, methodNotAllowed(allowed.split(', ')), { Allow: allowed });
}

import type { IncomingMessage, ServerResponse } from 'node:http';

import { jsonHeaders } from '@parley/http';

import type { WireText } from '../core/wire-text.ts';
import { Exchange } from './exchange.ts';
import type { UnsentBytes } from './unsent-bytes.ts';

/** A request that node:http has read. */
export class NodeExchange extends Exchange {
  readonly incoming: IncomingMessage;
  private readonly response: ServerResponse;
  private readonly unsent: UnsentBytes | undefined;

  constructor(incoming: IncomingMessage, response: ServerResponse, unsent?: UnsentBytes) {
    const { method = 'GET', url = '/', headers } = incoming;
    super();
    const { head } = this;
    head.method = method;
    head.url = url;
    head.host = headers.host;
    head.authorization = headers.authorization;
    head.cookie = headers.cookie;
    head.forwardedFor = headers['x-forwarded-for']?.toString();
    head.sentRequestId = headers['x-request-id']?.toString();
    head.csrfToken = headers['x-csrftoken']?.toString();
    this.incoming = incoming;
    this.response = response;
    this.unsent = unsent;
  }

  get remoteAddress(): string | undefined {
    return this.incoming.socket.remoteAddress;
  }

  protected write(status: number, headers: string, body: WireText): void {
    const { response } = this;
    if (response.destroyed) return;
    if (this.isLast) response.shouldKeepAlive = false;
    const raw = headers.split('\r\n').slice(0, -1).flatMap(nameAndValue);
    const ofJson = status === 204 ? jsonHeaders.slice(2) : jsonHeaders;
    const length = status === 204 ? [] : ['Content-Length', String(body.length)];
    response.writeHead(status, [...ofJson, ...raw, ...length]);
    response.end(body, 'latin1');
    this.unsent?.written(this.incoming.socket);
  }
}

function nameAndValue(line: string): [string, string] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), line.slice(colon + 2)];
}
